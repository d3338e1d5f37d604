import type { Fault } from '../lib/errors.ts'
import { type AskedQuestion, isRequired } from '../question/question.ts'
import { byQuestion, type GivenResponse, isAnswer, type Responses, responseTo } from './response.ts'

/**
 * The state of one question. `empty`: without an answer that fits. `skipped`: passed over on purpose. `invalid`: `submit` or
 * the host said that the answer cannot be sent.
 */
export type AnswerState = 'empty' | 'answered' | 'skipped' | 'invalid'

/** The state of each question, by its id. */
export const answerStates = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
  invalid: readonly string[],
): Record<string, AnswerState> =>
  byQuestion(questions, (question) =>
    invalid.includes(question.id) ? 'invalid' : stateOf(question, responses),
  )

const stateOf = (question: AskedQuestion, responses: Readonly<Responses>): AnswerState => {
  const response = responseTo(responses, question)
  if (isAnswer(response)) return misfitIn(question, responses) ? 'empty' : 'answered'
  return response && 'skipped' in response ? 'skipped' : 'empty'
}

/**
 * The questions that keep a draft from being submitted: those that need an answer and were not passed over, and those
 * with a typed answer that does not fit.
 */
export const missingIn = (questions: readonly AskedQuestion[], draft: Readonly<Responses>): AskedQuestion[] =>
  questions.filter(
    (question) => (isRequired(question) && stateOf(question, draft) === 'empty') || misfitIn(question, draft),
  )

type EnteredFault = typeof import('../question/typed/typed-fault.ts').enteredFault
let enteredFault: EnteredFault | undefined

/** Loads what checks typed answers. Few pages need it. Where it does not come, the host checks alone. */
export const loadTypedFault = (): Promise<void> =>
  import('../question/typed/typed-fault.ts').then(
    (loaded) => {
      enteredFault = loaded.enteredFault
    },
    () => undefined,
  )

/** What a typed answer should have been, if it is something else. */
export const misfitIn = (question: AskedQuestion, draft: Readonly<Responses>): string | null | undefined =>
  enteredFault?.(question, (responseTo(draft, question) as GivenResponse | undefined)?.freeText)

/** The ids of the questions that faults are about, in the order asked. */
export const faultyIds = (questions: readonly AskedQuestion[], faults: readonly Fault[]): string[] =>
  questions
    .map(({ id }) => id)
    .filter((id) => faults.some(({ path }) => `${path}.`.startsWith(`responses.${id}.`)))
