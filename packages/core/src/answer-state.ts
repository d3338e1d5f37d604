import { submittedResponses } from './draft.ts'
import type { Fault } from './errors.ts'
import type { AskedQuestion } from './question.ts'
import { isAnswer, type Responses, responseTo } from './response.ts'
import { validateResponses } from './validate-responses.ts'

/**
 * Where one question stands: without an answer, answered, passed over on purpose, or with something that keeps the
 * answer from being sent, after `submit` or the host said so.
 */
export type AnswerState = 'empty' | 'answered' | 'skipped' | 'invalid'

/** The state of each question, by its id. */
export const answerStates = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
  invalid: readonly string[],
): Record<string, AnswerState> =>
  Object.fromEntries(
    questions.map((question): [string, AnswerState] => {
      const response = responseTo(responses, question)
      if (invalid.includes(question.id)) return [question.id, 'invalid']
      if (isAnswer(response)) return [question.id, 'answered']
      return [question.id, response && 'skipped' in response ? 'skipped' : 'empty']
    }),
  )

/** The ids of the questions that keep a draft from being submitted, in the order asked. */
export const missingIds = (questions: readonly AskedQuestion[], draft: Readonly<Responses>): string[] =>
  faultyIds(questions, validateResponses(questions, submittedResponses(questions, draft), { final: true }))

/** The ids of the questions that faults are about, in the order asked. */
export function faultyIds(questions: readonly AskedQuestion[], faults: readonly Fault[]): string[] {
  const ids = questions.map(({ id }) => id)
  // An id may hold a dot, and begin with another id: the longest one is meant.
  const longestFirst = [...ids].sort((a, b) => b.length - a.length)
  const faulty = new Set(
    faults.map(({ path }) => longestFirst.find((id) => `${path}.`.startsWith(`responses.${id}.`))),
  )
  return ids.filter((id) => faulty.has(id))
}
