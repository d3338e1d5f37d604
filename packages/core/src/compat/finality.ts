// Why it is so: docs/decisions/0017-an-answer-without-a-status-can-be-replaced.md

import type { AnswerStatus } from '../answer/answer-status.ts'
import { isComplete, type Responses, unansweredIds } from '../answer/response.ts'
import type { AskedQuestion } from '../question/question.ts'

/** What says whether an answer is final. */
interface AnswerState {
  status: AnswerStatus
  replaceable?: true
  revision?: number
}

/** What marks a provisional answer where it is stored. */
export const PROVISIONAL = { replaceable: true } as const

/** Whether it is an answer or a decline, and no draft. */
export const isFinal = ({ status }: AnswerState): boolean => status !== 'pending'

/** Whether it is complete, and its author's next answer replaces it until the runner has taken it. */
export const isProvisional = ({ replaceable }: AnswerState): boolean => replaceable === true

/** Whether the next answer file may replace this one until the runner has taken it. */
export const mayChange = (answer: AnswerState): boolean => !isFinal(answer) || isProvisional(answer)

/**
 * Whether another answer may follow a complete one, so that a runner waits a while. Older hosts, without revisions, never say.
 */
export const mayBeFollowed = (answer: AnswerState): boolean =>
  isProvisional(answer) || (answer.status === 'completed' && answer.revision === undefined)

/**
 * The status of an answer. Pages of the SandAgent document give none and send all answers at each click. The first complete
 * set is often not the last one.
 *
 * @param options.isOnce the person can answer only once, so a complete answer is never provisional
 */
export function statusOf(
  given: AnswerStatus | undefined,
  { questions, responses, isOnce }: { questions: AskedQuestion[]; responses: Responses; isOnce: boolean },
): { status: AnswerStatus; isProvisional: boolean } {
  if (given !== undefined) return { status: given, isProvisional: false }
  const isSubmitted =
    isComplete(questions, responses) && unansweredIds(questions, responses).length < questions.length
  return { status: isSubmitted ? 'completed' : 'pending', isProvisional: isSubmitted && !isOnce }
}
