import {
  AskError,
  type AskedQuestion,
  isRequired,
  optionTitle,
  optionValue,
  type QuestionResponse,
  questionTexts,
  questionTitle,
  type Responses,
} from '@sandagent/core/internal'

/**
 * What a person answers in a test, by question: its text, its first line, its `header` or its `id`. The answer is the label or
 * the value of an option, several of them in a list, or a text that the person types.
 */
export type SaidAnswers = Readonly<Record<string, string | readonly string[]>>

/** The responses that these answers stand for. Answers to other questions have no effect: one list can serve several calls. */
export function responsesTo(questions: readonly AskedQuestion[], said: SaidAnswers): Responses {
  const texts = questionTexts(questions)
  return Object.fromEntries(
    questions.flatMap((question, index): [string, QuestionResponse][] => {
      const names = [texts[index] as string, questionTitle(question), question.header, question.id]
      const name = names.find((each) => each !== undefined && Object.hasOwn(said, each))
      return name === undefined ? [] : [[question.id, responseOf(question, said[name] as string | string[])]]
    }),
  )
}

/**
 * The same, for answers that must be complete.
 *
 * @throws AskError `INVALID_REQUEST` for a question that needs an answer and has none here.
 */
export function allResponsesTo(questions: readonly AskedQuestion[], said: SaidAnswers): Responses {
  const responses = responsesTo(questions, said)
  const left = questions.find((question) => isRequired(question) && !Object.hasOwn(responses, question.id))
  if (left) throw noAnswerTo(left, said)
  return responses
}

function responseOf(question: AskedQuestion, said: string | readonly string[]): QuestionResponse {
  const parts = [said].flat()
  const values = parts.map((part) => meantValue(question, part))
  const selected = values.filter((value) => value !== undefined)
  const freeText = parts.filter((_, index) => values[index] === undefined).join(', ')
  return { selected, ...(freeText && { freeText }), source: 'human' }
}

/** The option that a person means, by its label or value. */
function meantValue(question: AskedQuestion, said: string): string | undefined {
  const option = question.options?.find((each) =>
    [each.label, optionTitle(question, each), optionValue(each)].includes(said),
  )
  return option && optionValue(option)
}

function noAnswerTo(question: AskedQuestion, said: SaidAnswers): AskError {
  const known = Object.keys(said).map((name) => JSON.stringify(name))
  return new AskError(
    'INVALID_REQUEST',
    `The scripted person has no answer to ${JSON.stringify(questionTitle(question))}. They have answers to: ${
      known.join(', ') || 'nothing'
    }. Add this question's text, header or id.`,
  )
}
