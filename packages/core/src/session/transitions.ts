// What each event changes in a session.

import { type Draft, sameDrafts, unsealed } from '../answer/draft.ts'
import type { AskError } from '../lib/errors.ts'
import type { AskedQuestion } from '../question/question.ts'
import { askedIn } from '../question/read-questions.ts'
import { isQuestionView, type QuestionView } from '../record/view/question-view.ts'
import type { StoredReply } from './connection-options.ts'
import { type Intent, isAnsweredWith, type PageAnswer, seenIn } from './page-answer.ts'
import { isAskedAgain, isOutdated, type KeptDraft } from './reload-draft.ts'
import { mayTryAgain } from './retry.ts'
import { initialState, NO_ANSWER, NOTHING, type Session } from './session-state.ts'

type Change = Partial<Session>

/**
 * The person entered something. What is missing for a submission stays marked.
 *
 * @param kind `dirty`: it is not saved, because it is sent soon
 */
export const entered = (
  { answer }: Session,
  entries: Draft,
  kind: 'saving' | 'dirty' = 'saving',
): Change => ({
  entries,
  draft: { kind },
  answer: { kind: answer.kind === 'incomplete' ? answer.kind : 'none' },
})

/** The entries are sent by themselves at this time. */
export const countedDown = (
  { entries }: Session,
  endsAt: number,
  questions: readonly AskedQuestion[],
): Change => ({ answer: { kind: 'countdown', endsAt, entries, asked: askedIn({ questions }) } })

/** The person submitted too early. */
export const heldBack = (error: AskError): Change => ({ answer: { kind: 'incomplete', fault: error } })

/** What a person sends, without what says which question they saw. */
export type Sent = Pick<Intent, 'status' | 'reason' | 'asksBack' | 'scope' | 'passkey'>

/** The person sends the answer, declines, or asks back. */
export const meant = ({ view }: Session, entries: Draft, intent: Sent = { status: 'completed' }): Change => ({
  entries,
  draft: { kind: 'dirty' },
  answer: { kind: 'sending', intent: { ...intent, ...seenIn(view) } },
})

/** The person changes their vote. Until they send the new one, the first counts. */
export const revised: Change = { draft: { kind: 'dirty' }, answer: NO_ANSWER }

/** An earlier page kept this. */
export const restored = (kept: KeptDraft): Change => ({
  entries: kept.draft,
  revision: kept.revision,
  draft: { kind: kept.dirty ? 'dirty' : 'clean', kept },
  answer: kept.intent ? { kind: 'sending', intent: kept.intent } : NO_ANSWER,
})

/** The person may not see the question: what an earlier page kept may be another person's. */
export const forgotten = ({ draft, part }: Session): Change => (draft.kept ? initialState(part) : {})

/** The answer that failed is sent again at this time. */
export const scheduled = ({ answer }: Session, retryAt: number): Change =>
  answer.kind === 'retrying' ? { answer: { ...answer, retryAt } } : {}

/** The host has stored what was sent. */
export function stored(session: Session, request: PageAnswer, reply: StoredReply): Change {
  const { status, responses } = request
  const change = {
    request: session.request === request ? undefined : session.request,
    revision: Math.max(session.revision, reply.revision ?? 0),
  }
  if (status === 'pending')
    return sameDrafts(unsealed(session.entries), responses)
      ? { ...change, draft: { kind: sameDrafts(session.entries, responses) ? 'clean' : 'dirty' } }
      : change
  return {
    ...change,
    // What was entered after the answer was taken back stays.
    draft: { kind: session.answer.intent ? 'clean' : 'dirty' },
    answer: reply.missingVotes === undefined ? { kind: 'stored', request } : { kind: 'voted' },
  }
}

/** A request failed. It may be sent again, or the host refuses it for good. */
export function failed(session: Session, request: PageAnswer, error: AskError): Change {
  const { code } = error
  const { intent } = session.answer
  // The answer left while a draft was on its way, and has all of it.
  if (session.request !== request) return {}
  const change: Change = { request: undefined }
  // What the person did meanwhile counts.
  if ((request.status === 'pending') === (intent !== undefined)) return change
  // An earlier request stored this answer, and its reply was lost. Who took it back meanwhile came too late.
  const there = viewIn(error)
  const isOwn = request.status === 'pending' ? there?.byOther === false : isAnsweredWith(there, request)
  if (code === 'CONFLICT' && isOwn) return { ...change, draft: { kind: 'clean' }, answer: NO_ANSWER }
  if (code === 'CONFLICT' || code === 'GONE')
    return {
      ...change,
      draft: { kind: 'dirty' },
      answer: { kind: code === 'GONE' ? 'expired' : 'superseded', error },
    }
  if (!intent) return { ...change, draft: { kind: 'failed', error } }
  return {
    ...change,
    answer: mayTryAgain(error)
      ? { kind: 'retrying', intent, error }
      : { kind: 'rejected', refused: intent, error },
  }
}

/** The view that the host sent with a rejection. */
export const viewIn = ({ facts: { question } }: AskError): QuestionView | undefined =>
  isQuestionView(question) ? question : undefined

/** The host shows the question. `now` is in milliseconds since 1970. */
export function viewed(session: Session, view: QuestionView, isEditable: boolean, now: number): Change {
  const { entries, draft, request } = session
  const { kind, kept } = draft
  const { intent } = session.answer
  const { responses, revision, people, byOther, askedAt } = view
  const isNewer = revision > session.revision
  const isOpen = view.state === 'open'
  // The call was asked again, so the answer was meant for the question before. Or somebody else answered first.
  const isPast = intent && (byOther || (intent.askedAt !== undefined && intent.askedAt !== askedAt))
  const answer = isPast ? NO_ANSWER : session.answer
  const isAgain = kept && isAskedAgain(kept, view)
  const isOther = isAgain || (kept && isOutdated(kept, view))
  const isDirty = kind !== 'clean'
  const change: Change = {
    view,
    viewedAt: now,
    people,
    revision: isOther ? revision : Math.max(session.revision, revision),
    answer,
  }
  // A draft from another tab, or from before a reload, is shown unless something newer was entered here.
  if (isOpen && !answer.intent && (isAgain || (!request && (isOther || (isNewer && !isDirty))))) {
    // Kept entries that were never stored count only for questions without a newer response.
    const own = isDirty && !isAgain ? entries : NOTHING
    return {
      ...change,
      entries: { ...own, ...responses },
      draft: { kind: hasMore(own, responses) ? 'dirty' : 'clean' },
    }
  }
  // Entries of other pages are taken over, for questions without an entry here.
  if (isNewer && isOpen && isEditable && hasMore(responses, entries))
    return {
      ...change,
      entries: { ...responses, ...entries },
      draft: kind === 'failed' ? draft : { kind: 'saving' },
    }
  return { ...change, draft: kept ? { kind } : draft }
}

/** Whether a draft has entries for questions that have none in the other draft. */
const hasMore = (draft: Draft, other: Draft): boolean => Object.keys(draft).some((id) => !(id in other))
