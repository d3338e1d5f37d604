import {
  type AskedQuestion,
  answerTexts,
  byQuestion,
  encodeAnswers,
  findOption,
  questionTexts,
  type Responses,
} from '@sandagent/core/internal'

/** Answers by question text: a label or what was typed, or the list of them for a multiple choice. */
export type AnswersByText = Record<string, string | string[]>

/** The answers given so far. Questions without one have no key. */
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

/** Every question's answer as one text, see `encodeAnswers`; an empty one where none was given. */
export const answersMap = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): Record<string, string> => {
  const none = Object.fromEntries(questionTexts(questions).map((key) => [key, '']))
  return { ...none, ...encodeAnswers(questions, responses) }
}

/** Whether an option, by its label or value, or a typed answer is part of what was answered. */
export function isAnsweredWith(
  question: AskedQuestion,
  responses: Readonly<Responses>,
  labelOrValue: string,
): boolean {
  const label = findOption(question, labelOrValue)?.label ?? labelOrValue
  const texts = answerTexts(question, responses)
  return question.multiSelect ? texts.includes(label) : texts[0] === label
}
