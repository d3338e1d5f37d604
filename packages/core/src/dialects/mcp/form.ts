import * as v from 'valibot'
import {
  byQuestion,
  isAnswer,
  type QuestionResponse,
  type Responses,
  responseTo,
} from '../../answer/response.ts'
import { validateResponses } from '../../answer/validate-responses.ts'
import { type Fault, invalid } from '../../lib/errors.ts'
import { own } from '../../lib/objects.ts'
import { mapOf, parseWith } from '../../lib/schema.ts'
import {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  isRequired,
  optionValue,
  type Question,
  type QuestionOption,
} from '../../question/question.ts'
import type { GivenAnswer } from '../dialect.ts'
import { withoutSecrets } from '../dialect.ts'
import { customName } from './field.ts'
import { type TypedFormField, typedField } from './typed-kind.ts'

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

/** The fields that questions become: typed text, one choice, several choices, numbers and dates. */
export type FormField =
  | TypedFormField
  | { type: 'string'; title: string; description?: string }
  | { type: 'string'; title: string; description?: string; oneOf: FormOption[] }
  | { type: 'array'; title: string; description?: string; items: { anyOf: FormOption[] }; minItems?: number }

export interface FormOption {
  const: string
  title: string
  description?: string
  _meta?: Record<string, unknown>
}

export interface FormOptions {
  /**
   * Whether the client can show a field that takes several choices. Without it, that field is text that takes the
   * numbers of the options. Default true.
   */
  lists?: boolean | undefined
}

const nameOf = (index: number): string => `question_${index + 1}`

/**
 * Writes questions as a form that any MCP client can show: `question_1`, `question_2`, … by position, and beside a
 * choice with typed answers a text field `question_1_custom`. A form has no place for previews and placeholders of
 * typed questions, a description of an option stands in the description of the field, and a question with both fields
 * cannot be marked as required. `defaultOption` is left out: in a form it would be an answer that nobody has to give.
 */
export const formatRequest = (questions: readonly Question[], { lists }: FormOptions = {}): ElicitationForm =>
  formOf(questions, { lists })

interface WrittenForm extends FormOptions {
  /** What else an option carries. Without it, descriptions stand in that of the field. */
  optionDetails?: (option: QuestionOption) => Partial<FormOption>
}

export function formOf(
  questions: readonly Question[],
  { lists = true, ...written }: WrittenForm,
): ElicitationForm {
  const [only, ...more] = withoutSecrets(questions)
  const message =
    only && more.length === 0 ? only.question : `There are ${questions.length} questions for you.`
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(
        questions.flatMap((question, index) => fieldsOf(question, index, { lists, ...written })),
      ),
      required: questions.flatMap((question, index) =>
        isRequired(question) && !hasCustom(question) ? [nameOf(index)] : [],
      ),
    },
  }
}

const hasOptions = ({ options = [] }: Question): boolean => options.length > 0
const hasCustom = (question: Question): boolean => hasOptions(question) && allowsFreeText(question)

function fieldsOf(
  question: Question,
  index: number,
  { lists, optionDetails }: WrittenForm,
): [string, FormField][] {
  const name = nameOf(index)
  const title = question.header?.trim() ? question.header : question.question
  const isNumbered = question.multiSelect === true && !lists
  const described = (question.options ?? []).flatMap(({ label, description }, position) => {
    if (isNumbered) return [`${position + 1}. ${label}${description?.trim() ? `: ${description}` : ''}`]
    return description?.trim() && !optionDetails ? [`- ${label}: ${description}`] : []
  })
  const description = [question.question, ...described, ...(isNumbered ? [NUMBERS] : [])].join('\n')
  const words = { title, ...(description !== title && { description }) }
  const { typed } = question
  if (typed) return [[name, typedField({ ...question, typed }, title)]]
  if (!hasOptions(question)) return [[name, { type: 'string', ...words }]]
  const options = (question.options ?? []).map((option) => ({
    const: optionValue(option),
    title: option.label,
    ...optionDetails?.(option),
  }))
  const minItems = isRequired(question) && !hasCustom(question) ? { minItems: 1 } : {}
  const choice: FormField = isNumbered
    ? { type: 'string', ...words }
    : question.multiSelect
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

/** What a person is told to type where a client has no field for several choices. */
const NUMBERS = 'Type the numbers of all that you pick, such as: 1, 3'

const WHAT = 'This is no answer to the form'

const resultSchema = v.variant('action', [
  v.object({ action: v.literal('accept'), content: v.nullish(mapOf<unknown>(v.unknown())) }),
  v.object({ action: v.literal('decline') }),
  v.object({ action: v.literal('cancel') }),
])

/**
 * Reads the result of a form of `formatRequest`; `null` for `cancel`, when the person decided nothing. Typed words
 * beside a single choice are a note. Where answers are required and none came at all, the client has not asked: that is
 * a fault, not a refusal.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(
  questions: readonly AskedQuestion[],
  result: unknown,
  { lists = true }: FormOptions = {},
): GivenAnswer | null {
  const parsed = parseWith(resultSchema, result, 'INVALID_ANSWERS', WHAT)
  if (parsed.action === 'cancel') return null
  if (parsed.action === 'decline') return { status: 'declined' }
  const content = parsed.content ?? {}
  const responses = byQuestion(questions, (question, index) => responseIn(content, question, index, lists))
  const faults = [
    ...validateResponses(questions, responses, { final: true }),
    ...missingIn(questions, responses),
  ]
  if (faults.length > 0) throw invalid('INVALID_ANSWERS', WHAT, faults)
  return { status: 'completed', responses }
}

/** Answers that the form's own schema requires; and those that it cannot require, where there is none at all. */
function missingIn(questions: readonly AskedQuestion[], responses: Responses): Fault[] {
  const isOpen = (question: AskedQuestion): boolean => !isAnswer(responseTo(responses, question))
  const isEmpty = questions.every(isOpen)
  return questions.flatMap((question, index) =>
    isRequired(question) && isOpen(question) && (isEmpty || !hasCustom(question))
      ? [{ path: `content.${nameOf(index)}`, expected: 'an answer' }]
      : [],
  )
}

const valueSchema = v.union([v.string(), v.array(v.string())], 'text, or a list of texts')

function responseIn(
  content: Readonly<Record<string, unknown>>,
  question: AskedQuestion,
  index: number,
  lists: boolean,
): QuestionResponse | undefined {
  const textIn = (name: string): string | string[] => {
    const value = own(content, name) ?? ''
    const isNumber = typeof value === 'number' && question.typed?.kind === 'number'
    return parseWith(valueSchema, isNumber ? `${value}` : value, 'INVALID_ANSWERS', WHAT, `content.${name}`)
  }
  const name = nameOf(index)
  const texts = [textIn(name)].flat()
  const given = question.multiSelect && !lists ? texts.flatMap((text) => valuesIn(text, question)) : texts
  const custom = hasCustom(question) ? [textIn(customName(name))].flat().join('\n') : ''
  // Some clients send an empty text for a field that was left empty.
  const selected = hasOptions(question)
    ? given.filter((value) => value !== '' || findOption(question, ''))
    : []
  const typed = hasOptions(question) ? custom : given.join('\n')
  if (selected.length === 0 && typed.trim() === '')
    return isRequired(question) ? { skipped: true } : undefined
  const isNote = !question.multiSelect && selected.length > 0
  const words = typed.trim() === '' ? {} : isNote ? { notes: typed } : { freeText: typed }
  return { selected, ...words, source: 'human' }
}

/** The values of the options that a text numbers; what is no number of an option stays as it is, and is a fault. */
const valuesIn = (text: string, { options = [] }: AskedQuestion): string[] =>
  text
    .split(/[\s,;.]+/)
    .filter(Boolean)
    .map((word) => {
      const option = options[Number(word) - 1]
      return option ? optionValue(option) : word
    })
