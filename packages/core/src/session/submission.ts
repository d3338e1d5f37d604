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
  /** Answers as text by question text, for answer APIs that know no more than that. */
  answers: AnswerTexts
  /** The same without loss, by question id. */
  responses: Readonly<Responses>
  status: AnswerStatus
  /** What the person saw, see `QuestionView.questionDigest`; absent before the host has shown it. */
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
  // An answer API that only knows `answers` takes complete ones for a submission: a complete draft shows it none.
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
