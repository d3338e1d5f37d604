import type { ReactElement } from 'react'
import { entryOf } from '../state/entries.ts'
import { type ApprovalPartProps, labelOf } from './approval-form.ts'

/** Below the call afterwards: what was decided, and what this page did not send. */
export function DecisionMade({ form }: ApprovalPartProps): ReactElement {
  const { ask, labels, question } = form
  const entry = entryOf(ask, question)
  const unsent = entryOf({ responses: ask.entered }, question).notes
  return (
    <>
      <p className="sa-decision">
        {entry.selected.map((value) => (
          <bdi key={value}>{labelOf(form, value)}</bdi>
        ))}
        {entry.notes.trim() !== '' && <q dir="auto">{entry.notes}</q>}
      </p>
      {unsent.trim() !== '' && unsent !== entry.notes && (
        <p className="sa-hint">
          {labels.unsent}: <q dir="auto">{unsent}</q>
        </p>
      )}
    </>
  )
}
