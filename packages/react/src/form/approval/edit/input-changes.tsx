import { type InputChange, visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { ApprovalLabels } from '../approval-labels.ts'
import { Difference } from '../call/difference.tsx'
import { jsonText } from './input-fields.ts'

interface InputChangesProps {
  changes: readonly InputChange[]
  labels: ApprovalLabels
}

/** How an edited input differs from the agent's: every change, in full, with all of its lines. */
export const InputChanges = ({ changes, labels }: InputChangesProps): ReactElement => (
  <dl className="sa-call">
    {changes.map((change) => (
      <div key={change.name ?? ''}>
        <dt>{change.name === null ? labels.editWhole : visible(change.name)}</dt>
        <dd>
          <Change change={change} />
        </dd>
      </div>
    ))}
  </dl>
)

function Change({ change }: { change: InputChange }): ReactElement {
  // A text as it is, and all else as JSON. Where only one of both is a text, both are JSON: `5` is not `"5"`.
  const isText = (['before', 'after'] as const).every(
    (side) => !(side in change) || typeof change[side] === 'string',
  )
  const textOf = (value: unknown): string => (isText ? (value as string) : jsonText(value))
  if (!('after' in change))
    return (
      <pre dir="ltr">
        <del data-change="removed">{`-${visible(textOf(change.before)).replaceAll('\n', '\n-')}`}</del>
      </pre>
    )
  return (
    <Difference
      edit={{ before: 'before' in change ? textOf(change.before) : null, after: textOf(change.after) }}
    />
  )
}
