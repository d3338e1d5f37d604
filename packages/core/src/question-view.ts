import { isFinal, responsesOf } from './approval.ts'
import type { QuestionState } from './channel.ts'
import type { AskedQuestion } from './question.ts'
import { type ApprovalSubject, deadlineOf, isSettled, type OutcomeKind } from './question-record.ts'
import type { Responses } from './response.ts'
import { isObject, readQuestions } from './tool-part.ts'

/** What a page may know of a question: the host's truth without nonces. JSON of `GET` answers. */
export interface QuestionView {
  toolCallId: string
  toolName?: string
  kind: 'question' | 'approval'
  /** `open`: waits for a person. `sent`: a final answer is stored, the runner has not confirmed it yet. */
  state: 'open' | 'sent' | OutcomeKind
  questions: AskedQuestion[]
  /** Of an approval: the tool call that it permits. */
  subject?: ApprovalSubject
  /** The draft, the final answer, or what the agent got, by `state`. */
  responses: Responses
  /** Counts the writes of answers, from 1; 0 for none. */
  revision: number
  /** Whether the stored answer is a refusal. */
  cancelled: boolean
  /** ISO 8601. */
  askedAt?: string
  settledAt?: string
  /** ISO 8601 by the host's clock, or `null` for never. */
  deadline: string | null
  /** Milliseconds left when the view was made, or `null` for no limit: pages need not share the host's clock. */
  remainingMs: number | null
  answeredBy?: string
  /** ISO 8601: when the final answer was stored. */
  answeredAt?: string
  /** Why the person declined, in their words. */
  reason?: string
  /**
   * Whether the run that asks is gone, and left the question open. It is answered as ever: the run takes the answer up
   * when it is started again, which somebody has to do.
   */
  runEnded?: true
}

/** Makes the view of a question at `now`, in milliseconds since 1970. */
export function viewOf(state: QuestionState, now: number): QuestionView {
  const { toolCallId, record, approval, runEnded } = state
  // Nobody checked the questions of an older writer, and one file of it must not keep the others from being shown.
  const questions = record?.questions ?? readQuestions(approval)
  const settled = record && isSettled(record) ? record : undefined
  const final = approval !== undefined && isFinal(approval)
  const deadline = record ? deadlineOf(record, approval?.timestamp, now) : null
  const answeredBy = settled ? settled.answeredBy : approval?.answeredBy
  const reason = settled ? settled.reason : approval?.reason
  return {
    toolCallId,
    ...(record && { toolName: record.toolName, askedAt: record.askedAt }),
    kind: record?.kind ?? 'question',
    state: settled ? settled.state : final ? 'sent' : 'open',
    questions,
    ...(record?.subject && { subject: record.subject }),
    responses: settled ? settled.responses : approval ? responsesOf(approval, questions) : {},
    revision: approval?.revision ?? 0,
    cancelled: approval?.status === 'cancelled',
    ...(settled && { settledAt: settled.settledAt }),
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
    remainingMs: deadline === null ? null : Math.max(0, deadline - now),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(final && { answeredAt: approval.timestamp }),
    ...(reason !== undefined && { reason }),
    ...(runEnded && !settled && { runEnded }),
  }
}

/** Whether a host's answer holds a view. */
export const isQuestionView = (value: unknown): value is QuestionView =>
  isObject(value) &&
  typeof value.state === 'string' &&
  Array.isArray(value.questions) &&
  isObject(value.responses)
