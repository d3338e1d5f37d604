import type { AskedQuestion } from '../question/question.ts'
import { answerTexts, questionTexts } from './answer-text.ts'
import type { Responses } from './response.ts'

/** The answer to a question: the label picked or the words typed, all of them in a list if the question takes several. */
export type Answer = string | string[]

/**
 * Answers by the id of their question, and by its text. `undefined`: no answer. Ids go first: a text that is the id of another
 * question is no key. A second question with the same text has ` (2)` behind its text.
 */
export type Answers = Record<string, Answer | undefined>

/** The answer to one question. Of a single choice the label counts, also if words stand beside it. */
export function answerTo(question: AskedQuestion, responses: Readonly<Responses>): Answer | undefined {
  const texts = answerTexts(question, responses)
  return question.multiSelect && texts.length > 0 ? texts : texts[0]
}

/** All answers of a call. A question without an answer has its keys too, so that `constructor` is no answer. */
export function answersOf(questions: readonly AskedQuestion[], responses: Readonly<Responses>): Answers {
  const texts = questionTexts(questions)
  const answers = questions.map((question) => answerTo(question, responses))
  return Object.fromEntries([
    // A later key replaces an earlier one.
    ...texts.map((text, index) => [text, answers[index]]),
    ...questions.map(({ id }, index) => [id, answers[index]]),
  ])
}
