import * as v from 'valibot'
import { invalid } from '../errors.ts'
import { own } from '../own.ts'
import {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  isRequired,
  optionValue,
  type Question,
} from '../question.ts'
import type { QuestionResponse, Responses } from '../response.ts'
import { mapOf, parseWith } from '../schema.ts'
import { validateResponses } from '../validate-responses.ts'
import type { GivenAnswer } from './given-answer.ts'
import { customName } from './mcp-field.ts'

/** The `params` of an `elicitation/create` request with a form. */
export interface ElicitationForm {
  mode: 'form'
  message: string
  requestedSchema: {
    type: 'object'
    properties: Record<string, FormField>
    required: string[]
  }
}

/** The fields that questions become: typed text, one choice, several choices. */
export type FormField =
  | { type: 'string'; title: string; description?: string }
  | { type: 'string'; title: string; description: string; oneOf: FormOption[] }
  | { type: 'array'; title: string; description: string; items: { anyOf: FormOption[] }; minItems?: number }

export interface FormOption {
  const: string
  title: string
}

const nameOf = (index: number): string => `question_${index + 1}`

/**
 * Writes questions as a form that any MCP client can show: `question_1`, `question_2`, … by position, and beside a
 * choice with typed answers a text field `question_1_custom`. A form has no place for previews and placeholders of
 * typed questions, a description of an option stands in the description of the field, and a question with both fields
 * cannot be marked as required. `defaultOption` is left out: in a form it would be an answer that nobody has to give.
 */
export function formatRequest(questions: readonly Question[]): ElicitationForm {
  const [only, ...more] = questions
  const message =
    only && more.length === 0 ? only.question : `There are ${questions.length} questions for you.`
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(questions.flatMap(fieldsOf)),
      required: questions.flatMap((question, index) =>
        isRequired(question) && !hasCustom(question) ? [nameOf(index)] : [],
      ),
    },
  }
}

const hasOptions = ({ options = [] }: Question): boolean => options.length > 0
const hasCustom = (question: Question): boolean => hasOptions(question) && allowsFreeText(question)

function fieldsOf(question: Question, index: number): [string, FormField][] {
  const name = nameOf(index)
  const title = question.header?.trim() ? question.header : question.question
  const described = (question.options ?? []).flatMap(({ label, description }) =>
    description?.trim() ? [`- ${label}: ${description}`] : [],
  )
  const words = { title, description: [question.question, ...described].join('\n') }
  if (!hasOptions(question)) return [[name, { type: 'string', ...words }]]
  const options = (question.options ?? []).map((option) => ({
    const: optionValue(option),
    title: option.label,
  }))
  const minItems = isRequired(question) && !hasCustom(question) ? { minItems: 1 } : {}
  const choice: FormField = question.multiSelect
    ? { type: 'array', ...words, items: { anyOf: options }, ...minItems }
    : { type: 'string', ...words, oneOf: options }
  if (!hasCustom(question)) return [[name, choice]]
  const { placeholder } = question
  const custom: FormField = {
    type: 'string',
    title: `${title}: in your own words`,
    ...(placeholder?.trim() && { description: placeholder }),
  }
  return [
    [name, choice],
    [customName(name), custom],
  ]
}

const resultSchema = v.variant('action', [
  v.object({ action: v.literal('accept'), content: v.nullish(mapOf<unknown>(v.unknown())) }),
  v.object({ action: v.literal('decline') }),
  v.object({ action: v.literal('cancel') }),
])

/**
 * Reads the result of a form of `formatRequest`; `null` for `cancel`, when the person decided nothing. Typed words
 * beside a single choice are a note. What has no answer was passed over, as far as an answer is required.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(questions: readonly AskedQuestion[], result: unknown): GivenAnswer | null {
  const what = 'This is no answer to the form'
  const parsed = parseWith(resultSchema, result, 'INVALID_ANSWERS', what)
  if (parsed.action === 'cancel') return null
  if (parsed.action === 'decline') return { status: 'cancelled' }
  const content = parsed.content ?? {}
  const responses: Responses = Object.fromEntries(
    questions.flatMap((question, index): [string, QuestionResponse][] => {
      const response = responseIn(content, question, index)
      return response ? [[question.id, response]] : []
    }),
  )
  const faults = validateResponses(questions, responses, { final: true })
  if (faults.length > 0) throw invalid('INVALID_ANSWERS', what, faults)
  return { status: 'completed', responses }
}

const valueSchema = v.union([v.string(), v.array(v.string())], 'text, or a list of texts')

function responseIn(
  content: Readonly<Record<string, unknown>>,
  question: AskedQuestion,
  index: number,
): QuestionResponse | undefined {
  const textIn = (name: string): string | string[] => {
    const value = own(content, name) ?? ''
    return parseWith(
      valueSchema,
      value,
      'INVALID_ANSWERS',
      'This is no answer to the form',
      `content.${name}`,
    )
  }
  const name = nameOf(index)
  const given = [textIn(name)].flat()
  const custom = hasCustom(question) ? [textIn(customName(name))].flat().join('\n') : ''
  // Some clients send an empty text for a field that was left empty.
  const selected = hasOptions(question)
    ? given.filter((value) => value !== '' || findOption(question, ''))
    : []
  const typed = hasOptions(question) ? custom : given.join('\n')
  if (selected.length === 0 && typed.trim() === '')
    return isRequired(question) ? { skipped: true } : undefined
  const words = typed.trim() === '' ? {} : isNote(question, selected) ? { notes: typed } : { freeText: typed }
  return { selected, ...words, source: 'human' }
}

const isNote = (question: AskedQuestion, selected: readonly string[]): boolean =>
  !question.multiSelect && selected.length > 0
