import { type InputChange, inputChanges, jsonText, visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { Difference } from '../call/difference.tsx'
import { type EditLabels, englishEditLabels } from './edit-labels.ts'

export interface InputChangesProps {
  /** The input of the agent. */
  asked: unknown
  edited: unknown
  labels: Partial<EditLabels>
}

/** How an edited input differs from the agent's: every change, in full, with all of its lines. */
export const InputChanges = ({ asked, edited, labels }: InputChangesProps): ReactElement => (
  <dl className="sa-call">
    {inputChanges(asked, edited).map((change) => (
      <div key={change.name ?? ''}>
        <dt>
          {change.name === null ? (labels.editWhole ?? englishEditLabels.editWhole) : visible(change.name)}
        </dt>
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
  const [before, after] = (['before', 'after'] as const).map((side) =>
    side in change ? (isText ? (change[side] as string) : jsonText(change[side])) : null,
  ) as [string | null, string | null]
  // Without signs: "-" in front of a number would be taken for its own.
  const isShort = !isText && !`${before}${after}`.includes('\n')
  if (after === null || isShort)
    return (
      <pre dir="ltr">
        {before !== null && <del data-change="removed">{visible(before)}</del>}
        {before !== null && after !== null && ' → '}
        {after !== null && <ins data-change="added">{visible(after)}</ins>}
      </pre>
    )
  return <Difference edit={{ before, after }} />
}
