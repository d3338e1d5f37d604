import { visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { ApprovalLabels } from './approval-labels.ts'

interface ToolInputProps {
  toolName: string
  input: unknown
  labels: ApprovalLabels
}

/**
 * A tool call, complete, with invisible characters written out. The input stands in a group of its own: an agent chooses
 * its names, and one of them may be called like the form's own row.
 */
export function ToolInput({ toolName, input, labels }: ToolInputProps): ReactElement {
  const isNamed = typeof input === 'object' && input !== null && !Array.isArray(input)
  return (
    <>
      <dl className="sa-call">
        <Row name={labels.tool} value={toolName} />
      </dl>
      <figure className="sa-given">
        <figcaption className="sa-hint">{labels.input}</figcaption>
        {isNamed ? (
          <dl className="sa-call">
            {Object.entries(input).map(([name, value]) => (
              <Row key={name} name={name} value={value} />
            ))}
          </dl>
        ) : (
          <div className="sa-call">
            <Value value={input} />
          </div>
        )}
      </figure>
    </>
  )
}

const Row = ({ name, value }: { name: string; value: unknown }): ReactElement => (
  <div>
    <dt>{visible(name)}</dt>
    <dd>
      <Value value={value} />
    </dd>
  </div>
)

const Value = ({ value }: { value: unknown }): ReactElement => (
  <pre dir="ltr">{visible(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))}</pre>
)
