import type { AnswerRequest } from '../answer/answer-request.ts'
import type { AnswerStatus } from '../answer/answer-status.ts'
import { type AnswerTexts, encodeAnswers } from '../answer/answer-text.ts'
import { type Draft, submittedResponses } from '../answer/draft.ts'
import { isComplete, type Responses } from '../answer/response.ts'
import type { AskedQuestion } from '../question/question.ts'

/** The answer that a page sends: it says all that any answer API may look for. */
export interface PageAnswer extends AnswerRequest {
  questions: AskedQuestion[]
  answers: AnswerTexts
  responses: Readonly<Responses>
  status: AnswerStatus
}

/** The answer that a person sent, without its responses, and the question that they saw. It counts for no other. */
export interface Intent {
  status: Exclude<AnswerStatus, 'pending'>
  reason?: string | undefined
  questionDigest?: string | undefined
  askedAt?: string | undefined
}

/** The request that stores the draft: as `status` says, or as the person meant it. */
export function pageAnswerOf(
  draft: Draft,
  {
    toolCallId,
    questions,
    traceparent,
  }: Pick<PageAnswer, 'toolCallId' | 'questions'> & { traceparent?: string | undefined },
  { status, questionDigest, askedAt, reason }: Omit<Intent, 'status'> & { status: AnswerStatus },
): PageAnswer {
  const final = submittedResponses(questions, draft)
  // An older answer API takes complete `answers` for a submission. So a complete draft shows it none.
  const isHidden = status === 'declined' || (status === 'pending' && isComplete(questions, final))
  return {
    toolCallId,
    questions,
    answers: encodeAnswers(questions, isHidden ? {} : final),
    responses: { completed: final, pending: draft, declined: {} }[status],
    status,
    ...(questionDigest !== undefined && { questionDigest }),
    ...(askedAt !== undefined && { askedAt }),
    ...(traceparent !== undefined && { traceparent }),
    ...(status === 'declined' && reason !== undefined && { reason }),
  }
}
