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
import type { ApprovalSubject, Asker, OutcomeKind } from '../record/question-record.ts'
import type { QuestionView } from '../record/question-view.ts'
import type { KeptDraft } from './kept-draft.ts'

/**
 * Where a question stands on the page.
 *
 * `streaming`: the model still writes it, or needs a permission to ask it. `waiting`: a person may answer. `saving`: a draft is on its way.
 * `sending`: the answer is on its way. `sent`: the host keeps it. `received`: the agent has it. `declined`: the person
 * refused. `expired`: it ended without an answer. `superseded`: somebody else's answer came first. `failed`: the last
 * request failed; what was entered is kept, and `retry` sends it again.
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

/** All that a page shows of one question. A new object whenever anything changed. */
export interface AskSnapshot {
  toolCallId: string
  status: AskStatus
  questions: AskedQuestion[]
  /** What the agent or the host confirmed; before that, what was entered here. */
  responses: Readonly<Responses>
  /** What was entered here, also where somebody else's answer came first. */
  entered: Readonly<Responses>
  /** Whether entries count: the question waits and nothing final is on its way. */
  isEditable: boolean
  /** Ids of the questions without an answer. */
  unanswered: readonly string[]
  /** Ids of the questions for which `submit` held the answer back, as long as they need something. */
  missing: readonly string[]
  /** Where each question stands, by its id. */
  states: Readonly<Record<string, AnswerState>>
  /** `approval` asks for permission to use the tool of `subject`. */
  kind: 'question' | 'approval'
  /** Of an answer file: the tool call that it permits, as the host knows it. */
  subject: ApprovalSubject | undefined
  /** The agent below the main one that asks, when the host tells. */
  asker: Asker | undefined
  /** Milliseconds since 1970 by the page's clock, or `null` for never. */
  deadline: number | null
  answeredBy: string | undefined
  /** When the final answer was stored, in milliseconds since 1970 by the host's clock, or `null`. */
  answeredAt: number | null
  /** Whether what was sent is a refusal. */
  declined: boolean
  /** Why somebody declined, in their words. */
  reason: string | undefined
  /** How the question ended for the agent, when the host tells. */
  outcome: OutcomeKind | null
  /** Whether the run that asks is gone: an answer is kept until somebody starts it again. */
  runEnded: boolean
  /** Of what `failed`: whether it was a draft. Nobody has sent an answer yet, and the next entry tries again. */
  unsaved: boolean
  /** What the last request failed with, or what is missing in an answer that `submit` held back. */
  error: AskError | null
  /** Whether the host wants the person to sign in first. */
  unauthorized: boolean
}

/** Everything a session remembers; what it shows is derived from this alone. */
export interface SessionState {
  part: ToolPart
  view?: QuestionView
  /** When `view` came, in milliseconds since 1970 by this page's clock. */
  viewedAt: number
  draft: Draft
  /** Whether the draft holds entries that the host has not stored. */
  dirty?: boolean
  /** The newest revision seen from the host. */
  revision: number
  /** What a page before this one left of the draft, until the host has said what it knows. */
  restored?: KeptDraft | undefined
  /** What still has to be stored, and what is on its way. */
  goal?: AnswerStatus | undefined
  inFlight?: AnswerStatus | undefined
  stored?: 'completed' | 'declined' | undefined
  refused?: 'superseded' | 'expired' | undefined
  reason?: string | undefined
  /** Whether the last request failed; an error alone may also be a submission held back. */
  failed?: boolean
  /** Whether `submit` held an answer back, and none was sent since. */
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

/** Whether nothing about the question can change any more. */
export const isEnded = (status: AskStatus): boolean => ENDED.includes(status)

export function snapshotOf(session: SessionState): AskSnapshot {
  const { part, view, draft, stored, error } = session
  const questions = view?.questions.length ? view.questions : readQuestions(part.input)
  const state = view?.state ?? 'open'
  const outcome = state === 'open' || state === 'sent' ? endingOf(part) : state
  // Until the host knows of an answer, what was sent from here counts.
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
  if (refused === 'superseded') return refused
  if (isOver(part) && part.state !== 'output-error') {
    if (endingOf(part) === 'timed-out') return 'expired'
    return part.state === 'output-denied' ? 'declined' : 'received'
  }
  if (outcome) return ENDED_AS[outcome]
  if (part.state === 'output-error') return 'expired'
  // At the deadline the host may refuse an answer that the runner takes after all, and what the runner says counts.
  if (refused) return refused
  if (part.state === 'input-streaming' || part.state === 'approval-requested') return 'streaming'
  if (stored || view?.state === 'sent') return 'sent'
  if (failed) return 'failed'
  const busy = goal && goal !== 'pending' ? goal : (inFlight ?? goal)
  return busy ? (busy === 'pending' ? 'saving' : 'sending') : 'waiting'
}

/** How it ended according to the message, for pages that come when nobody tells of the question any more. */
const endingOf = (part: ToolPart): OutcomeKind | null => {
  if (part.state === 'output-error') return endingAccordingTo(part.errorText ?? '')
  const answers = isObject(part.output) ? part.output.answers : undefined
  if (!isOver(part) || !isExpiry(answers)) return null
  // The marker is no answer; what stands beside it was entered before the time was over.
  return Object.keys(answers).length > 1 ? 'partial' : 'timed-out'
}

const ENDED_AS = {
  answered: 'received',
  partial: 'received',
  declined: 'declined',
  'timed-out': 'expired',
  aborted: 'expired',
} as const

/** The responses in a tool output: this product's, or the text answers of any other SandAgent runner. */
function outputResponses(part: ToolPart, questions: readonly AskedQuestion[]): Responses | null {
  const { output } = part
  if (!isOver(part) || !isObject(output)) return null
  const responses = readResponses(output.responses)
  if (Object.keys(responses).length > 0) return responses
  const { answers } = output
  return isObject(answers) ? decodeAnswers(questions, answers) : null
}
