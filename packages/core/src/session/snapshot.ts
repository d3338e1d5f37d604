import { type AnswerState, answerStates, faultyIds, missingIn } from '../answer/answer-state.ts'
import { decodeAnswers } from '../answer/answer-text.ts'
import { readResponses } from '../answer/read-responses.ts'
import { type Responses, unansweredIds } from '../answer/response.ts'
import type { AskError } from '../lib/errors.ts'
import { isObject, pick } from '../lib/objects.ts'
import type { AskedQuestion } from '../question/question.ts'
import { askedIn, readQuestions } from '../question/read-questions.ts'
import { isOver, type ToolPart } from '../question/tool-part.ts'
import type { PolicyRule } from '../record/people/policy-rule.ts'
import type { ApprovalSubject, Asker, OutcomeKind } from '../record/question-record.ts'
import type { QuestionView, ShownExchange, ShownVote } from '../record/view/question-view.ts'
import { type AskStatus, endingOf, isEditableIn, isEnded, statusOf, waitsForOthers } from './ask-status.ts'
import { type OtherPerson, othersOf } from './others.ts'
import { errorOf, type Session } from './session-state.ts'

/** All that a page shows of one call. A new object after every change. */
export interface AskSnapshot {
  toolCallId: string
  /** What the host says of the call. Of an approval: `scopes` is what this person can allow beyond it. */
  view: QuestionView | undefined
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
  /**
   * When the answer is sent by itself, in milliseconds since 1970 by the page's clock, or `null`. `undo` keeps it a draft,
   * `submit` sends it now.
   */
  sendsAt: number | null
  /** When an answer that could not be sent is sent again, in milliseconds since 1970 by the page's clock, or `null`. */
  retryAt: number | null
  /** When the agent stops waiting, in milliseconds since 1970 by the page's clock, or `null` for never. */
  deadline: number | null
  /** Who answered, if the host says so. */
  answeredBy: string | undefined
  /** Who else has the question open, or has entered something. What they entered is not in this person's answer. */
  others: readonly OtherPerson[]
  /** Under a policy: the rule for this question. */
  rule: PolicyRule | undefined
  /** Under a policy: who has voted, or whose votes made the answer. */
  votes: readonly ShownVote[]
  /** When the final answer was stored, in milliseconds since 1970 by the host's clock, or `null`. */
  answeredAt: number | null
  /** Whether the question was declined. */
  declined: boolean
  /** Why the person declined, in their words, or what they asked back. */
  reason: string | undefined
  /** Whether the person asked back instead of deciding. */
  asksBack: boolean
  /** Whether a person can ask back: the agent answers, and asks again. */
  takesQuestions: boolean
  /** What people asked back before this call, and what the agent said then; the oldest first. */
  thread: readonly ShownExchange[]
  /** How the question ended for the agent, if the host says so. */
  outcome: OutcomeKind | null
  /** Whether the run has ended. An answer is kept until the run is started again. */
  runEnded: boolean
  /** Whether a draft `failed`, not an answer. The next entry tries again. */
  unsaved: boolean
  /**
   * The error of the last request, or what is missing if `submit` was called too early. No entry is lost. While `loading`: why
   * the host does not show the question.
   */
  error: AskError | null
  /** Whether the person must sign in first. Then the next view from the host sends the answer, and `retry` does. */
  unauthorized: boolean
}

export function snapshotOf(session: Session): AskSnapshot {
  const { part, view, entries, answer, request } = session
  const questions = view?.questions.length ? view.questions : readQuestions(part.input)
  const state = view?.state ?? 'open'
  const outcome = state === 'open' || state === 'sent' ? endingOf(part) : state
  // The answer of this page counts until the host knows an answer.
  const answered = state === 'open' ? undefined : view
  const status = statusOf(session, outcome)
  const stored = answer.kind === 'stored' ? answer.request : null
  const error = (status === 'loading' ? session.refusal : (errorOf(session) ?? answer.fault)) ?? null
  const responses = outputResponses(part, questions) ?? answered?.responses ?? stored?.responses ?? entries
  const isEditable = isEditableIn(status)
  const missing =
    isEditable && answer.kind === 'incomplete' ? missingIn(questions, entries).map(({ id }) => id) : []
  const refused = isEditable && error ? faultyIds(questions, error.faults) : []
  return {
    toolCallId: part.toolCallId,
    view,
    status,
    questions,
    responses,
    entered: entries,
    isEditable,
    unanswered: unansweredIds(questions, responses),
    missing,
    states: answerStates(questions, responses, [...missing, ...refused]),
    kind: view?.kind ?? 'question',
    subject: view?.subject,
    asker: view?.asker,
    sendsAt: isEditable ? sendsAtOf(session, questions) : null,
    retryAt: (status === 'retrying' && !request && answer.retryAt) || null,
    deadline: view?.remainingMs == null ? null : session.viewedAt + view.remainingMs,
    others: isEditable || waitsForOthers(status) ? othersOf(session) : [],
    rule: view?.rule,
    votes: view?.votes ?? [],
    answeredBy: view?.answeredBy ?? pick(part.output, 'string', ['answeredBy']).answeredBy,
    answeredAt: Date.parse(view?.answeredAt ?? '') || null,
    declined: answered?.declined ?? stored?.status === 'declined',
    reason: view?.reason ?? stored?.reason,
    asksBack: answered?.asksBack ?? stored?.asksBack ?? false,
    takesQuestions: !!view?.takesQuestions,
    thread: view?.thread ?? [],
    outcome,
    runEnded: !!view?.runEnded && !isEnded(status),
    unsaved: status === 'failed' && answer.kind !== 'rejected',
    error,
    unauthorized: error?.code === 'UNAUTHENTICATED',
  }
}

/** When the countdown ends. `null` without one, and if it counts for something else than what is shown. */
function sendsAtOf({ answer, entries }: Session, questions: readonly AskedQuestion[]): number | null {
  if (answer.kind !== 'countdown' || answer.entries !== entries) return null
  return answer.asked === askedIn({ questions }) ? answer.endsAt : null
}

/** The responses in a tool output, or the text answers of an older SandAgent runner. */
function outputResponses(part: ToolPart, questions: readonly AskedQuestion[]): Responses | null {
  const { output } = part
  if (!isOver(part) || !isObject(output)) return null
  const responses = readResponses(output.responses)
  if (Object.keys(responses).length > 0) return responses
  const { answers } = output
  return isObject(answers) ? decodeAnswers(questions, answers) : null
}
