import { decisionOf, visible } from '@sandagent/core/internal'
import type { ReactElement, ReactNode } from 'react'
import { AskerTag } from '../parts/asker-tag.tsx'
import { entryOf } from '../state/entries.ts'
import { type ApprovalForm, type ApprovalPartProps, labelOf } from './approval-form.ts'
import { editedIn } from './edit/use-call-edit.ts'

/** What was decided, such as "Denied". `null` if nobody decided. */
export function decidedIn(form: ApprovalForm): string | null {
  const { ask, labels, question } = form
  const { selected } = entryOf(ask, question)
  if (editedIn(ask.responses, question) !== undefined) return labels.changed
  if (ask.view?.grant) return labels.allowedBefore
  const words = { ...labels.decided, ...(form.reading.kind === 'plan' && labels.decidedPlan) }
  const decided = selected.map((value) => {
    const decision = decisionOf(value)
    return decision ? words[decision] : labelOf(form, value)
  })
  if (decided.length > 0) return decided.join(', ')
  if (ask.asksBack) return labels.askedBack
  return ask.declined ? words.deny : null
}

/** What was decided about a call that is over, by whom and when, in one line. It opens to the call. */
export function PastLine({
  form,
  decided,
  children,
}: ApprovalPartProps & { decided: string; children: ReactNode }): ReactElement {
  const { ask, labels, reading } = form
  const names = ask.votes.length > 1 ? ask.votes.map(({ name }) => name).join(', ') : ask.answeredBy
  const at = ask.answeredAt === null ? undefined : new Date(ask.answeredAt)
  return (
    <details className="sa-past">
      <summary>
        <b>{decided}</b> <bdi>{labels.decidedBy(names && visible(names), at)}</bdi>{' '}
        <span className="sa-quiet">{labels.heading(reading)}</span>{' '}
        <AskerTag asker={ask.asker} labels={labels} />
      </summary>
      {children}
    </details>
  )
}
