import type { Draft } from '../answer/draft.ts'
import type { QuestionView } from '../record/view/question-view.ts'
import { isAskedAgain, isOutdated } from './kept-draft.ts'
import { NOTHING, type SessionState } from './session-state.ts'
import type { AskSnapshot } from './snapshot.ts'

/** What a view from the host changes in a session. `now` is in milliseconds since 1970. */
export function stateWithView(
  session: SessionState,
  snapshot: AskSnapshot,
  view: QuestionView,
  now: number,
): Partial<SessionState> {
  const { restored, inFlight, dirty, ...state } = session
  // The call was asked again, so the answer was meant for the question before. Or somebody else answered first.
  const isForEarlier = session.intent?.askedAt !== undefined && session.intent.askedAt !== view.askedAt
  const intent = isForEarlier || view.byOther ? undefined : session.intent
  const isAgain = restored && isAskedAgain(restored, view)
  const isOther = isAgain || (restored && isOutdated(restored, view))
  const isNews = isOther || (!dirty && view.revision > state.revision)
  // A draft from another tab, or from before a reload, is shown unless something newer was entered here.
  const adopts = isNews && view.state === 'open' && !inFlight && !intent
  const revision = isOther ? view.revision : Math.max(state.revision, view.revision)
  // Kept entries that were never stored count only for questions without a newer response.
  const kept = dirty && !isAgain ? state.draft : NOTHING
  const draft = adopts
    ? { draft: { ...kept, ...view.responses }, dirty: hasMore(kept, view.responses) }
    : beside(session, snapshot, view)
  return { view, people: view.people, viewedAt: now, revision, restored: undefined, intent, ...draft }
}

/** Takes over entries of other pages, for questions without an entry here. */
const beside = (
  { draft, revision: seen }: SessionState,
  { isEditable }: AskSnapshot,
  { state, responses, revision }: QuestionView,
): Partial<SessionState> => {
  const isNews = revision > seen && state === 'open' && isEditable
  return isNews && hasMore(responses, draft)
    ? { draft: { ...responses, ...draft }, dirty: true, saveDue: true }
    : {}
}

/** Whether a draft has entries for questions that have none in the other draft. */
const hasMore = (draft: Draft, other: Draft): boolean => Object.keys(draft).some((id) => !(id in other))
