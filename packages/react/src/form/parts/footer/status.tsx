import { holdsUpWork, visible, waitsForOthers } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { FooterPartProps } from '../../state/ask-form.ts'
import { hasEntries } from '../../state/entries.ts'
import { Urgency } from '../deadline.tsx'
import { SendsIn } from './sends-in.tsx'

/** The status of the answer: what the host or the agent confirmed, nothing else. */
export function Status({ form }: FooterPartProps): ReactElement {
  const { ask, labels } = form
  const { answeredAt, deadline, rule, votes } = ask
  const isOpen = ask.isWaitingForInput || waitsForOthers(ask.status)
  const counted = isOpen && rule && labels.votes(rule, votes.length)
  const isAnswered = (ask.status === 'sent' || ask.status === 'received') && !ask.declined
  const by =
    isAnswered &&
    labels.by(
      votes.length > 1 ? votes.map(({ name }) => name).join(', ') : ask.answeredBy,
      answeredAt === null ? undefined : new Date(answeredAt),
    )
  const isSaved = !ask.runEnded && (ask.status === 'waiting' || ask.status === 'saving')
  // The host itself says that it cannot store this now. What is refused for good has an alert of its own.
  const isHeldUp = ask.error?.facts.status === 503 && (ask.status === 'retrying' || ask.unsaved)
  return (
    <>
      {ask.sendsAt !== null ? (
        <SendsIn key={ask.sendsAt} form={form} at={ask.sendsAt} />
      ) : isSaved ? (
        // Not announced: only a draft that was not saved is news.
        <span aria-live="off">{statusText(form)}</span>
      ) : (
        statusText(form)
      )}
      {isHeldUp && <span className="sa-quiet">{ask.error?.message}</span>}
      {counted && <span className="sa-quiet">{counted}</span>}
      {by && <bdi className="sa-quiet">{by}</bdi>}
      {ask.isWaitingForInput && deadline !== null && <Urgency at={deadline} labels={labels} />}
    </>
  )
}

function statusText({ ask, labels }: FooterPartProps['form']): string {
  const {
    status,
    answeredCount,
    questions,
    entered,
    answeredBy,
    answeredAt,
    declined,
    runEnded,
    outcome,
    view,
  } = ask
  // Otherwise what stands above the question says who reads the answer.
  const isHeldUp = !view || holdsUpWork(view)
  if (runEnded && isHeldUp && status === 'waiting') return labels.runEnded
  if (runEnded && status === 'sent') return labels.runEndedSent
  if (ask.asksBack && status !== 'superseded') return labels.askedBack
  switch (status) {
    case 'waiting':
      // A secret is in no draft.
      if (answeredCount > 0 && !questions.every(({ secret }) => secret))
        return labels.saved(answeredCount, questions.length)
      return isHeldUp ? labels.waiting : ''
    case 'loading':
      return labels.loading(ask.error)
    case 'not-allowed':
      return ask.rule ? labels.onlyMay(ask.rule) : ''
    case 'retrying':
      return ask.unauthorized && ask.error ? labels.problem(ask.error) : labels.retrying
    case 'sent':
      return declined ? labels.sentRefusal : labels.sent
    case 'expired':
      return outcome === 'timed-out'
        ? labels.timedOut
        : outcome === 'aborted'
          ? labels.aborted
          : labels.expired
    case 'failed':
      return labels.failed(ask.unsaved)
    case 'received':
      // Nobody sent an answer: the time ran out, and the agent took the draft.
      return outcome === 'partial' && answeredAt === null ? labels.tookDraft : labels.received
    case 'superseded':
      return labels.superseded(
        answeredBy === undefined ? undefined : visible(answeredBy),
        answeredAt === null ? undefined : new Date(answeredAt),
        { isDeclined: declined && !ask.asksBack, isRace: hasEntries({ questions, responses: entered }) },
      )
    default:
      return labels[status]
  }
}
