import { isDenialText } from '../permission/denial.ts'
import { isOver, type ToolPart, UNSEEN } from '../question/tool-part.ts'
import { isExpiry } from '../record/expiry-marker.ts'
import { endingAccordingTo } from '../record/outcome/outcome-text.ts'
import type { OutcomeKind } from '../record/question-record.ts'
import { isAnsweredWith, pageAnswerOf } from './page-answer.ts'
import type { Session } from './session-state.ts'

/**
 * Where a question stands on the page.
 *
 * `loading`: there is no message, and the host has not said yet what is asked. `streaming`: the model still writes it, or
 * needs an approval to ask it. `waiting`: a person may answer. `saving`: a
 * draft is on its way. `sending`: the answer is on its way. `retrying`: it could not be sent yet, and is sent again by
 * itself. `voted`: the host has it, and waits until more people give the same. `not-allowed`: others may answer. `sent`:
 * the host has it. `received`: the agent has it. `declined`: the person declined. `expired`: it ended without an answer.
 * `superseded`: another answer came first. `failed`: a draft could not be saved, or an answer was refused.
 * Entries are kept, and `retry` sends them again.
 */
export type AskStatus =
  | 'loading'
  | 'streaming'
  | 'waiting'
  | 'saving'
  | 'sending'
  | 'retrying'
  | 'voted'
  | 'not-allowed'
  | 'sent'
  | 'received'
  | 'declined'
  | 'expired'
  | 'superseded'
  | 'failed'

const EDITABLE: readonly AskStatus[] = ['waiting', 'saving', 'failed']
const ENDED: readonly AskStatus[] = ['received', 'declined', 'expired', 'superseded']

/** Whether a person can enter something. */
export const isEditableIn = (status: AskStatus): boolean => EDITABLE.includes(status)

/** Whether the question waits, and not for this person. */
export const waitsForOthers = (status: AskStatus): boolean => status === 'voted' || status === 'not-allowed'

/** Whether the question has ended. */
export const isEnded = (status: AskStatus): boolean => ENDED.includes(status)

/** The status of a session. `outcome` is how the question ended, if the host or the message says so. */
export function statusOf(session: Session, outcome: OutcomeKind | null): AskStatus {
  const { part, view, answer } = session
  const { state } = part
  if (state === UNSEEN && !view) return 'loading'
  const isStored = answer.kind === 'stored'
  const ended = outcome && ENDED_AS[outcome]
  if (answer.kind === 'superseded' || (view?.byOther && !isStored && ended !== 'expired')) return 'superseded'
  if (isOver(part) && state !== 'output-error') {
    if (endingOf(part) === 'timed-out') return 'expired'
    return state === 'output-denied' ? 'declined' : 'received'
  }
  // Only the reply says whether this answer is the one that counts.
  if (answer.intent && !isAnsweredWith(view, pageAnswerOf(session, view?.questions ?? []))) return answer.kind
  if (ended) return ended
  // What was decided about a tool call took effect, also if the tool failed then.
  if (state === 'output-error')
    return view?.kind === 'approval' && (isStored || view.state === 'sent') ? 'received' : 'expired'
  if (state === 'input-streaming' || state === 'approval-requested') return 'streaming'
  const waits = view?.state === 'sent' ? 'sent' : view?.mayAnswer === false ? 'not-allowed' : null
  if (isStored) return 'sent'
  // At the deadline the host may reject an answer that the runner still takes. What the runner says counted above.
  if (answer.kind === 'expired') return 'expired'
  if (waits) return waits
  if (answer.kind === 'rejected') return 'failed'
  return answer.kind === 'voted' || hasVoted(session) ? 'voted' : draftStatusOf(session)
}

function draftStatusOf({ draft, request }: Session): AskStatus {
  if (draft.kind === 'failed') return 'failed'
  return draft.kind === 'saving' || request ? 'saving' : 'waiting'
}

/** Whether the host has a vote of this person, and the page nothing newer. */
const hasVoted = ({ view, draft, revision: newest }: Session): boolean | undefined =>
  draft.kind === 'clean' && view?.votes?.some(({ isOwn, revision }) => isOwn && revision === newest)

/** How the call ended according to the message, for pages whose host no longer knows it. */
export const endingOf = (part: ToolPart): OutcomeKind | null => {
  const { state, errorText = '' } = part
  if (state === 'output-error') return isDenialText(errorText) ? 'declined' : endingAccordingTo(errorText)
  const { answers } = Object(part.output)
  if (!isOver(part) || !isExpiry(answers)) return null
  // The marker is not an answer. Other keys were entered before the time ran out.
  return Object.keys(answers).length > 1 ? 'partial' : 'timed-out'
}

const ENDED_AS = {
  answered: 'received',
  partial: 'received',
  declined: 'declined',
  'timed-out': 'expired',
  aborted: 'expired',
} as const
