import {
  type AskedQuestion,
  answerTexts,
  byQuestion,
  findOption,
  questionTexts,
  type Responses,
} from '@sandagent/core/internal'

/** Answers by question text: a label or typed text, or a list of them for a multiple choice. */
export type AnswersByText = Record<string, string | string[]>

/** The answers so far. A question without an answer has no key. */
export const answersByText = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): AnswersByText =>
  byQuestion(
    questions,
    (question) => {
      const texts = answerTexts(question, responses)
      return question.multiSelect && texts.length > 0 ? texts : texts[0]
    },
    questionTexts(questions),
  )

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
