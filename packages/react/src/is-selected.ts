import {
  type Answer,
  type AskedQuestion,
  answerTexts,
  answerTo,
  byQuestion,
  findOption,
  questionTexts,
  type Responses,
} from '@sandagent/core/internal'

/** Answers by question text. */
export type AnswersByText = Record<string, Answer>

/** The answers so far. A question without an answer has no key. */
export const answersByText = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): AnswersByText =>
  byQuestion(questions, (question) => answerTo(question, responses), questionTexts(questions))

/** Whether an option (by its label or value) or a typed text is part of the answer. */
export function isAnsweredWith(
  question: AskedQuestion,
  responses: Readonly<Responses>,
  labelOrValue: string,
): boolean {
  const label = findOption(question, labelOrValue)?.label ?? labelOrValue
  const texts = answerTexts(question, responses)
  return question.multiSelect ? texts.includes(label) : texts[0] === label
}
