import type { ReactElement } from 'react'
import { entryOf } from '../state/entries.ts'
import { type ApprovalPartProps, labelOf } from './approval-form.ts'

/** Below the call: what was decided, unless a line above says it, and the note to the agent. */
export function DecisionMade({ form, isTold }: ApprovalPartProps & { isTold: boolean }): ReactElement {
  const { selected, notes } = entryOf(form.ask, form.question)
  return (
    <p className="sa-decision">
      {!isTold && selected.map((value) => <bdi key={value}>{labelOf(form, value)}</bdi>)}
      {notes.trim() !== '' && <q dir="auto">{notes}</q>}
    </p>
  )
}

/** A note that this page did not send, because somebody else decided. */
export function UnsentNote({ form }: ApprovalPartProps): ReactElement | null {
  const { ask, labels, question } = form
  const { notes } = entryOf({ responses: ask.entered }, question)
  if (notes.trim() === '' || notes === entryOf(ask, question).notes) return null
  return (
    <p className="sa-hint">
      {labels.unsent}: <q dir="auto">{notes}</q>
    </p>
  )
}
