import { jsonForPeople, visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'

/**
 * A name and a value, complete, with invisible characters written out. Of the agent: it chooses names, too, and one of
 * them may be called like a row of the form.
 */
export const Row = ({ name, value }: { name: string; value: unknown }): ReactElement => (
  <div>
    <dt>{visible(name)}</dt>
    <dd>
      <Value value={value} />
    </dd>
  </div>
)

/** The input of a call: a row for each of its fields. */
export const InputRows = ({ input }: { input: unknown }): ReactElement =>
  isNamed(input) ? (
    <dl className="sa-call">
      {Object.entries(input).map(([name, value]) => (
        <Row key={name} name={name} value={value} />
      ))}
    </dl>
  ) : (
    <div className="sa-call">
      <Value value={input} />
    </div>
  )

const isNamed = (input: unknown): input is object =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

export const Value = ({ value }: { value: unknown }): ReactElement => (
  <pre dir="ltr">{visible(typeof value === 'string' ? value : jsonForPeople(value))}</pre>
)
