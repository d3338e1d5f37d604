import {
  type AskedQuestion,
  answerKeys,
  encodeAnswer,
  findOption,
  isAnswer,
  type Responses,
  responseTo,
} from '@sandagent/core'

/** Answers by question text: a label or what was typed, or the list of them for a multiple choice. */
export type AnswersByText = Record<string, string | string[]>

/** The answers given so far. Questions without one have no key. */
export function answersByText(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): AnswersByText {
  const keys = answerKeys(questions)
  return Object.fromEntries(
    questions.flatMap((question, index): [string, string | string[]][] => {
      const texts = answerTexts(question, responses)
      const answer = question.multiSelect ? texts : texts[0]
      return answer === undefined || answer.length === 0 ? [] : [[keys[index] as string, answer]]
    }),
  )
}

/** Every question's answer as one text, see `encodeAnswer`; an empty one where none was given. */
export function answersMap(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): Record<string, string> {
  const keys = answerKeys(questions)
  return Object.fromEntries(
    questions.map((question, index) => {
      const response = responseTo(responses, question)
      return [keys[index] as string, isAnswer(response) ? encodeAnswer(question, response) : '']
    }),
  )
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

/** The labels picked, then what was typed. */
function answerTexts(question: AskedQuestion, responses: Readonly<Responses>): string[] {
  const response = responseTo(responses, question)
  if (!isAnswer(response)) return []
  const labels = response.selected.map((value) => findOption(question, value)?.label ?? value)
  return response.freeText?.trim() ? [...labels, response.freeText] : labels
}
