import { missingIn } from '../answer/answer-state.ts'
import { type Draft, enteredFor } from '../answer/draft.ts'
import type { AskedQuestion } from '../question/question.ts'

/**
 * What the pick does that completes an answer of single choices. `undo`: the answer is sent after a pause, in which the
 * person can take it back. `immediately`: it is sent at once. `when-complete`: as `undo`, also where a question is a multiple
 * choice or has no options. Until then the complete answer is on this page alone. `false`: only `submit` sends it.
 */
export type AutoSubmit = 'undo' | 'immediately' | 'when-complete' | false

/** Whether the entries are an answer that is sent by itself. */
export const sendsItself = (
  questions: readonly AskedQuestion[],
  entries: Draft,
  autoSubmit: AutoSubmit,
): boolean =>
  autoSubmit !== false &&
  (autoSubmit === 'when-complete'
    ? missingIn(questions, entries).length === 0
    : questions.every((question) => isPicked(question, entries)))

const isPicked = (question: AskedQuestion, draft: Draft): boolean =>
  !question.files && !question.multiSelect && enteredFor(draft, question).selected.length > 0
