import { type AnswerState, answerStates, faultyIds, missingIn } from '../answer/answer-state.ts'
import type { AnswerStatus } from '../answer/answer-status.ts'
import { decodeAnswers } from '../answer/answer-text.ts'
import { type Draft, submittedResponses } from '../answer/draft.ts'
import { readResponses } from '../answer/read-responses.ts'
import { type Responses, unansweredIds } from '../answer/response.ts'
import type { AskError } from '../lib/errors.ts'
import { isObject, pick } from '../lib/objects.ts'
import type { AskedQuestion } from '../question/question.ts'
import { readQuestions } from '../question/read-questions.ts'
import { isOver, type ToolPart } from '../question/tool-part.ts'
import { isExpiry } from '../record/expiry-marker.ts'
import { endingAccordingTo } from '../record/outcome-text.ts'
import type { PresentPerson } from '../record/presence.ts'
import type { ApprovalSubject, Asker, OutcomeKind } from '../record/question-record.ts'
import type { QuestionView } from '../record/question-view.ts'
import type { KeptDraft } from './kept-draft.ts'
import { type OtherPerson, othersOf } from './others.ts'

/**
 * Where a question stands on the page.
 *
 * `streaming`: the model still writes it, or needs an approval to ask it. `waiting`: a person may answer. `saving`: a
 * draft is on its way. `sending`: the answer is on its way. `sent`: the host has it. `received`: the agent has it.
 * `declined`: the person declined. `expired`: it ended without an answer. `superseded`: somebody else's answer came
 * first. `failed`: the last request failed. Entries are kept, and `retry` sends them again.
 */
export type AskStatus =
  | 'streaming'
  | 'waiting'
  | 'saving'
  | 'sending'
  | 'sent'
  | 'received'
  | 'declined'
  | 'expired'
  | 'superseded'
  | 'failed'

/** All that a page shows of one call. A new object after every change. */
export interface AskSnapshot {
  toolCallId: string
  status: AskStatus
  questions: AskedQuestion[]
  /** What was entered here, then what the host or the agent confirmed. */
  responses: Readonly<Responses>
  /** What was entered here, in the shape of `responses`, also if somebody else's answer counts. */
  entered: Readonly<Responses>
  /** Whether a person can enter something: the question waits, and no answer is on its way. */
  isEditable: boolean
  /** Ids of the questions without an answer. */
  unanswered: readonly string[]
  /** Ids of the questions that still need an answer. Filled when `submit` was called too early. */
  missing: readonly string[]
  /** The state of each question, by its id. */
  states: Readonly<Record<string, AnswerState>>
  /** `approval` asks for permission to use the tool of `subject`. */
  kind: 'question' | 'approval'
  /** The tool call to approve, as the host knows it. Show this, not what the message says. */
  subject: ApprovalSubject | undefined
  /** The subagent that asks, if the host says so. */
  asker: Asker | undefined
  /** When the agent stops waiting, in milliseconds since 1970 by the page's clock, or `null` for never. */
  deadline: number | null
  /** Who answered, if the host says so. */
  answeredBy: string | undefined
  /** Who else has the question open, or has entered something. What they entered is not in this person's answer. */
  others: readonly OtherPerson[]
  /** When the final answer was stored, in milliseconds since 1970 by the host's clock, or `null`. */
  answeredAt: number | null
  /** Whether the question was declined. */
  declined: boolean
  /** Why the person declined, in their words. */
  reason: string | undefined
  /** How the question ended for the agent, if the host says so. */
  outcome: OutcomeKind | null
  /** Whether the run has ended. An answer is kept until the run is started again. */
  runEnded: boolean
  /** Whether a draft `failed`, not an answer. The next entry tries again. */
  unsaved: boolean
  /** The error of the last request, or what is missing if `submit` was called too early. No entry is lost. */
  error: AskError | null
  /** Whether the person must sign in first. Then call `retry`. */
  unauthorized: boolean
}

/** Everything that a session remembers. Its snapshot is derived from this alone. */
export interface SessionState {
  part: ToolPart
  view?: QuestionView
  /** Who else has the question open, as the host said last. */
  people?: readonly PresentPerson[] | undefined
  /** When `view` came, in milliseconds since 1970 by this page's clock. */
  viewedAt: number
  draft: Draft
  /** Whether the draft has entries that the host has not stored. */
  dirty?: boolean
  /** The newest revision seen from the host. */
  revision: number
  /** The draft of an earlier page, until the host says what it knows. */
  restored?: KeptDraft | undefined
  /** What must still be stored, and what is on its way. */
  goal?: AnswerStatus | undefined
  inFlight?: AnswerStatus | undefined
  stored?: 'completed' | 'declined' | undefined
  refused?: 'superseded' | 'expired' | undefined
  reason?: string | undefined
  /** Whether the last request failed. An error without it means that an answer is incomplete. */
  failed?: boolean
  /** Whether `submit` was called too early, and no answer was sent since. */
  heldBack?: boolean | undefined
  error?: AskError | undefined
}

/** The draft before anything is entered or comes from the host. */
export const NOTHING: Draft = {}

export const initialState = (part: ToolPart): SessionState => ({
  part,
  viewedAt: 0,
  draft: NOTHING,
  revision: 0,
})

const EDITABLE: readonly AskStatus[] = ['waiting', 'saving', 'failed']
const ENDED: readonly AskStatus[] = ['received', 'declined', 'expired', 'superseded']

/** Whether the question has ended. */
export const isEnded = (status: AskStatus): boolean => ENDED.includes(status)

export function snapshotOf(session: SessionState): AskSnapshot {
  const { part, view, draft, stored, error } = session
  const questions = view?.questions.length ? view.questions : readQuestions(part.input)
  const state = view?.state ?? 'open'
  const outcome = state === 'open' || state === 'sent' ? endingOf(part) : state
  // The answer of this page counts until the host knows an answer.
  const answered = state === 'open' ? undefined : view
  const status = statusOf(session, outcome)
  const isDeclined = stored === 'declined'
  const sent = isDeclined ? NOTHING : stored ? submittedResponses(questions, draft) : draft
  const responses = outputResponses(part, questions) ?? answered?.responses ?? sent
  const isEditable = EDITABLE.includes(status)
  const missing = isEditable && session.heldBack ? missingIn(questions, draft).map(({ id }) => id) : []
  const refused = isEditable && error ? faultyIds(questions, error.faults) : []
  return {
    toolCallId: part.toolCallId,
    status,
    questions,
    responses,
    entered: draft,
    isEditable,
    unanswered: unansweredIds(questions, responses),
    missing,
    states: answerStates(questions, responses, [...missing, ...refused]),
    kind: view?.kind ?? 'question',
    subject: view?.subject,
    asker: view?.asker,
    deadline: view?.remainingMs == null ? null : session.viewedAt + view.remainingMs,
    others: isEditable ? othersOf(session) : [],
    answeredBy: view?.answeredBy ?? pick(part.output, 'string', ['answeredBy']).answeredBy,
    answeredAt: Date.parse(view?.answeredAt ?? '') || null,
    declined: answered?.declined ?? isDeclined,
    reason: view?.reason ?? (isDeclined ? session.reason : undefined),
    outcome,
    runEnded: !!view?.runEnded && !isEnded(status),
    unsaved: status === 'failed' && session.goal === 'pending',
    error: error ?? null,
    unauthorized: error?.code === 'UNAUTHENTICATED',
  }
}

function statusOf(state: SessionState, outcome: OutcomeKind | null): AskStatus {
  const { part, view, stored, refused, goal, inFlight, failed } = state
  if (refused === 'superseded' || (view?.byOther && !stored && !isExpired(outcome))) return 'superseded'
  if (isOver(part) && part.state !== 'output-error') {
    if (endingOf(part) === 'timed-out') return 'expired'
    return part.state === 'output-denied' ? 'declined' : 'received'
  }
  if (outcome) return ENDED_AS[outcome]
  if (part.state === 'output-error') return 'expired'
  // At the deadline the host may reject an answer that the runner still takes. What the runner says counts.
  if (refused) return refused
  if (part.state === 'input-streaming' || part.state === 'approval-requested') return 'streaming'
  if (stored || view?.state === 'sent') return 'sent'
  if (failed) return 'failed'
  const busy = goal && goal !== 'pending' ? goal : (inFlight ?? goal)
  return busy ? (busy === 'pending' ? 'saving' : 'sending') : 'waiting'
}

const isExpired = (outcome: OutcomeKind | null): boolean => outcome === 'timed-out' || outcome === 'aborted'

/** How the call ended according to the message, for pages whose host no longer knows it. */
const endingOf = (part: ToolPart): OutcomeKind | null => {
  if (part.state === 'output-error') return endingAccordingTo(part.errorText ?? '')
  const answers = isObject(part.output) ? part.output.answers : undefined
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

/** The responses in a tool output, or the text answers of an older SandAgent runner. */
function outputResponses(part: ToolPart, questions: readonly AskedQuestion[]): Responses | null {
  const { output } = part
  if (!isOver(part) || !isObject(output)) return null
  const responses = readResponses(output.responses)
  if (Object.keys(responses).length > 0) return responses
  const { answers } = output
  return isObject(answers) ? decodeAnswers(questions, answers) : null
}
