import type { AnswerStatus } from '../answer/answer-status.ts'
import { type AnswerTexts, encodeAnswers } from '../answer/answer-text.ts'
import { submittedResponses } from '../answer/draft.ts'
import { isComplete, type Responses } from '../answer/response.ts'
import type { AskedQuestion } from '../question/question.ts'
import { type AskSnapshot, NOTHING, type SessionState } from './session-state.ts'

/** What a page sends to the answer API. */
export interface Submission {
  toolCallId: string
  questions: AskedQuestion[]
  /** Answers as text by question text, for older answer APIs. */
  answers: AnswerTexts
  /** The complete responses, by question id. */
  responses: Readonly<Responses>
  status: AnswerStatus
  /** See `QuestionView.questionDigest`. Absent until the host has shown the question. */
  questionDigest?: string
  /** Why the person declined, in their words. */
  reason?: string
}

/** The request that stores the draft as `status`. */
export function submissionOf(
  { draft, view, reason }: SessionState,
  { toolCallId, questions }: AskSnapshot,
  status: AnswerStatus,
): Submission {
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
