import type { AnswerRequest, AskError, QuestionRecord } from '@sandagent/core'
import type { StoredAnswer } from '@sandagent/sdk/internal'

/** What a scripted person does with one question call. Each act makes another one, or is written by hand. */
export type Act = (call: SeenCall) => Promise<void>

/** A question call, as a scripted person sees it. */
export interface SeenCall {
  /** What is asked. */
  readonly record: QuestionRecord
  /**
   * Stores an answer, a draft or a decline, as the person's host would.
   *
   * @throws AskError as `submitAnswer` does.
   */
  send(answer: Omit<AnswerRequest, 'toolCallId'>): Promise<StoredAnswer>
  /**
   * Waits on the person's clock. The first wait begins when the question was asked, each other one where the one before
   * ended. So a test may move a fake clock before the person has seen the question.
   */
  wait(ms: number): Promise<void>
}

/** What came of one thing that a scripted person sent. */
export type Reply = { readonly toolCallId: string } & (
  | { readonly stored: StoredAnswer; readonly refused?: undefined }
  | { readonly refused: AskError; readonly stored?: undefined }
)
