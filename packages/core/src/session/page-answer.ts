import type { AnswerRequest } from '../answer/answer-request.ts'
import type { AnswerStatus } from '../answer/answer-status.ts'
import { type AnswerTexts, encodeAnswers } from '../answer/answer-text.ts'
import { type Draft, sameAnswers, submittedResponses, unsealed } from '../answer/draft.ts'
import type { PasskeyProof } from '../answer/passkey-proof.ts'
import { isComplete, type Responses } from '../answer/response.ts'
import type { AskedQuestion } from '../question/question.ts'
import type { ToolPart } from '../question/tool-part.ts'
import type { QuestionView } from '../record/view/question-view.ts'

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
  scope?: string | undefined
  passkey?: PasskeyProof | undefined
  asksBack?: boolean | undefined
  questionDigest?: string | undefined
  askedAt?: string | undefined
}

/** What a request is made from: a session. */
interface Entered {
  part: Pick<ToolPart, 'toolCallId'>
  view?: QuestionView
  entries: Draft
  answer: { intent?: Intent | undefined }
}

/** The request that stores the answer as the person meant it, or else the draft. */
export function pageAnswerOf(
  { part, view, entries, answer }: Entered,
  questions: AskedQuestion[],
): PageAnswer {
  const meant = answer.intent ?? { status: 'pending', ...seenIn(view) }
  const { status } = meant
  const final = submittedResponses(questions, entries)
  // An older answer API takes complete `answers` for a submission. So a complete draft shows it none.
  const isHidden = status === 'declined' || (status === 'pending' && isComplete(questions, final))
  return {
    toolCallId: part.toolCallId,
    questions,
    answers: encodeAnswers(questions, isHidden ? {} : final),
    responses: { completed: final, pending: unsealed(entries), declined: {} }[status],
    traceparent: view?.traceparent,
    ...meant,
  }
}

/** Whether the host has this very answer of this person. They may have given another one in another tab. */
export const isAnsweredWith = (view: QuestionView | undefined, answer: PageAnswer): boolean =>
  view?.byOther === false &&
  view.declined === (answer.status === 'declined') &&
  view.reason === answer.reason &&
  view.asksBack === answer.asksBack &&
  sameAnswers(view.questions, view.responses, answer.responses)

/** What says which question the person saw. */
export const seenIn = (view: QuestionView | undefined): Pick<Intent, 'questionDigest' | 'askedAt'> => ({
  questionDigest: view?.questionDigest,
  askedAt: view?.askedAt,
})
