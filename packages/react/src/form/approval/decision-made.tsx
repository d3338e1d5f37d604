import { sameJson } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { entryOf } from '../state/entries.ts'
import { type ApprovalPartProps, decidedAs } from './approval-form.ts'
import { ChangesMade } from './edit/edit-call.tsx'
import { editedIn } from './edit/use-call-edit.ts'
import { withCode } from './with-code.tsx'

/** Below the call: what was decided, unless a line above says it, what was changed, and the note to the agent. */
export function DecisionMade({ form, isTold }: ApprovalPartProps & { isTold: boolean }): ReactElement {
  const { ask, question } = form
  const { selected, notes } = entryOf(ask, question)
  return (
    <>
      <ChangesMade form={form} input={editedIn(ask.responses, question)} />
      <p className="sa-decision">
        {!isTold && selected.map((value) => <bdi key={value}>{decidedAs(form, value, ask.responses)}</bdi>)}
        {notes.trim() !== '' && <q dir="auto">{notes}</q>}
        {ask.view?.grant && <span>{withCode(ask.view.grant.covers)}</span>}
        {ask.asksBack && <q dir="auto">{ask.reason}</q>}
      </p>
    </>
  )
}

/** What this page did not send, because somebody else decided. */
export function Unsent({ form }: ApprovalPartProps): ReactElement | null {
  const { ask, labels, question } = form
  const { notes } = entryOf({ responses: ask.entered }, question)
  const edited = editedIn(ask.entered, question)
  const isOwn = sameJson(edited, editedIn(ask.responses, question))
  const isNoted = notes.trim() !== '' && notes !== entryOf(ask, question).notes
  if (isOwn && !isNoted) return null
  return (
    <div className="sa-hint">
      {labels.unsent}: {isNoted && <q dir="auto">{notes}</q>}
      {!isOwn && <ChangesMade form={form} input={edited} />}
    </div>
  )
}
