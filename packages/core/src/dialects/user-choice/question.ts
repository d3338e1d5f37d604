import * as v from 'valibot'
import { isAnswer, responseTo } from '../../answer/response.ts'
import { type Fault, invalid } from '../../lib/errors.ts'
import { filledText, parseWith } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import { type AskedQuestion, optionValue, type Question } from '../../question/question.ts'
import type { Outcome } from '../../record/outcome/outcome.ts'
import type { GivenAnswer } from '../dialect.ts'
import { withoutSecrets } from '../dialect.ts'
import {
  type CallNames,
  isSelection,
  parseUserChoice,
  type UserChoiceMessage,
  type UserChoiceSelection,
} from './messages.ts'

/**
 * Reads a `user_choice` message as the question it asks: one of its choices, nothing typed, its default by name.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const { prompt, choices, default: index } = parseUserChoice(input)
  const options = choices.map((label) => ({ label }))
  return parseQuestions([{ question: prompt, options, allowFreeText: false, defaultOption: choices[index] }])
}

/**
 * Writes a question as a `user_choice` message. What it holds beside text, labels and default is lost, and nothing can
 * be typed.
 *
 * @throws AskError `INVALID_QUESTIONS` for more than one question, several choices at once, no options or no default.
 */
export function formatRequest(
  questions: readonly Question[],
  call: CallNames & Pick<UserChoiceMessage, 'response_url'>,
): UserChoiceMessage {
  const [question, ...others] = parseQuestions(withoutSecrets(questions))
  const { options = [], multiSelect = false, defaultOption } = question as AskedQuestion
  const faults: Fault[] = [
    ...(others.length > 0 ? [{ path: 'questions', expected: 'one question' }] : []),
    ...(multiSelect ? [{ path: 'questions.0.multiSelect', expected: 'false' }] : []),
    ...(defaultOption === undefined ? [{ path: 'questions.0.defaultOption', expected: 'a default' }] : []),
  ]
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'User Choice cannot ask this', faults)
  return parseUserChoice({
    type: 'user_choice',
    group_id: call.group_id,
    id: call.id,
    ...(call.call_id !== undefined && { call_id: call.call_id }),
    prompt: (question as AskedQuestion).question,
    choices: options.map(({ label }) => label),
    default: options.findIndex((option) => optionValue(option) === defaultOption),
    response_url: call.response_url,
  })
}

/**
 * Writes an outcome as the selection that the tool waits for: what a person picked, else the default, which stands for
 * every dismissal. The id is that of the call, which the id of its question holds beside the conversation.
 */
export function formatResult(
  { kind, questions, responses }: Outcome,
  { id }: Pick<CallNames, 'id'>,
): UserChoiceSelection {
  const question = questions[0] as AskedQuestion
  const { options = [], defaultOption } = question
  const response = responseTo(responses, question)
  const picked = kind === 'answered' && isAnswer(response) ? response.selected[0] : defaultOption
  const selected = options.findIndex((option) => optionValue(option) === picked)
  return { id, selected }
}

const selectionSchema = v.object({ id: filledText, selected: v.unknown() })

/**
 * Reads a selection as the response of a person: that the default may stand for a dismissal is not to be seen in it.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(
  questions: readonly AskedQuestion[],
  input: unknown,
): GivenAnswer & { status: 'completed' } {
  const what = 'This is no selection'
  const { selected } = parseWith(selectionSchema, input, 'INVALID_ANSWERS', what)
  const { id, options = [] } = questions[0] as AskedQuestion
  const values = options.map(optionValue)
  if (!isSelection(values, selected))
    throw invalid('INVALID_ANSWERS', what, [
      { path: 'selected', expected: `an index from 0 to ${options.length - 1}` },
    ])
  return {
    status: 'completed',
    responses: { [id]: { selected: [values[selected] as string], source: 'human' } },
  }
}
