import { useWaitingQuestions } from '../page/waiting-questions.ts'

/** What a composer offers while a question waits. */
export interface ComposerAnswer {
  /** The text of the question that would be answered. */
  question: string
  /**
   * Enters a text as the answer to this question. A call with one question is sent then. With several questions, the form
   * goes on to the next one. Call it only when the person chose this.
   */
  answerWith(text: string): void
}

/**
 * For the composer of a chat: the question that a typed text would answer, or `null`. It is the first question of the page
 * that has no answer yet and takes a typed one.
 */
export function useComposerAnswer(): ComposerAnswer | null {
  const first = useWaitingQuestions().find(({ typedQuestion }) => typedQuestion !== undefined)
  return first?.typedQuestion === undefined
    ? null
    : { question: first.typedQuestion, answerWith: first.answerWith }
}
