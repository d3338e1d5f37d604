import type { AnswerRequest } from '../answer/answer-request.ts'
import type { AnswerStatus } from '../answer/answer-status.ts'
import { type AnswerTexts, encodeAnswers } from '../answer/answer-text.ts'
import { submittedResponses } from '../answer/draft.ts'
import { isComplete, type Responses } from '../answer/response.ts'
import type { AskedQuestion } from '../question/question.ts'
import { type AskSnapshot, NOTHING, type SessionState } from './session-state.ts'

/** The answer that a page sends: it says all that any answer API may look for. */
export interface PageAnswer extends AnswerRequest {
  questions: AskedQuestion[]
  answers: AnswerTexts
  responses: Readonly<Responses>
  status: AnswerStatus
}

/** The request that stores the draft as `status`. */
export function pageAnswerOf(
  { draft, view, reason }: SessionState,
  { toolCallId, questions }: AskSnapshot,
  status: AnswerStatus,
): PageAnswer {
  const final = submittedResponses(questions, draft)
  // An older answer API takes complete `answers` for a submission. So a complete draft shows it none.
  const isHidden = status === 'declined' || (status === 'pending' && isComplete(questions, final))
  return {
    toolCallId,
    questions,
    answers: encodeAnswers(questions, isHidden ? NOTHING : final),
    responses: { completed: final, pending: draft, declined: NOTHING }[status],
    status,
    ...(view?.questionDigest && { questionDigest: view.questionDigest }),
    ...(status === 'declined' && reason !== undefined && { reason }),
  }
}
