import { invalid } from '../../lib/errors.ts'
import { platform } from '../../lib/platform.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion, Question } from '../../question/question.ts'
import type { TypedAnswer } from '../../question/typed/typed-answer.ts'
import { typedFault } from '../../question/typed/typed-fault.ts'
import { type Elicitation, type Field, parseElicitation } from './field.ts'
import { emptyFields, typedIn } from './typed-kind.ts'

/** What the one question of a page or of a form without fields is answered with. */
export const CONSENT = { yes: 'accept', no: 'decline' } as const

/**
 * Reads the `params` of an `elicitation/create` request as questions: one per field, in order, with the field's name
 * as id. A page to open, and a form without fields, is one question: yes or no.
 *
 * @param from the server's name as people know it; MCP wants it shown with everything that a server asks
 * @throws AskError `INVALID_QUESTIONS` with every fault, also for an address that is not on the web, and for limits of a field
 *   between which there is nothing
 */
export function parseRequest(params: unknown, { from }: { from?: string } = {}): AskedQuestion[] {
  const elicitation = parseElicitation(params)
  const faults = elicitation.mode === 'form' ? emptyFields(elicitation.fields) : []
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'Nobody can answer this form', faults)
  const message = from === undefined ? elicitation.message : `${from}: ${elicitation.message}`
  const [first, ...others] = questionsOf(elicitation)
  const question = first.question === elicitation.message ? message : paragraphs(message, first.question)
  return parseQuestions([{ ...first, question: question || 'A question without a text' }, ...others])
}

function questionsOf(elicitation: Elicitation): [Question, ...Question[]] {
  if (elicitation.mode === 'url') return [pageQuestion(elicitation.url)]
  const [first, ...others] = elicitation.fields
  return first ? [fieldQuestion(first), ...others.map(fieldQuestion)] : [consent('', 'Accept', 'Decline')]
}

const paragraphs = (...texts: string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n')

const consent = (question: string, yes: string, no: string): Question => ({
  question,
  options: [
    { label: yes, value: CONSENT.yes },
    { label: no, value: CONSENT.no },
  ],
  allowFreeText: false,
})

/** The person sees the whole address and its site, and opens it, or not; nobody else opens it. */
function pageQuestion(address: string): Question {
  const { host, href } = webAddress(address)
  return consent(`${href}\n\nThis page is at ${host}. Will you open it?`, 'Yes, I open it', 'No')
}

function webAddress(address: string): { host: string; href: string } {
  try {
    const url = new platform.URL(address)
    if (url.protocol === 'https:' || url.protocol === 'http:') return url
  } catch {
    // No address at all: the same fault.
  }
  throw invalid('INVALID_QUESTIONS', 'This page cannot be opened', [
    { path: 'url', expected: 'an address that begins with https:// or http://' },
  ])
}

function fieldQuestion(field: Field): Question {
  const { name, title = '', description = '', required } = field
  const text = description.trim() || title.trim() || name.trim() || 'An answer without a name'
  const hint = hintOf(field)
  return {
    ...(name.trim() !== '' && { id: name }),
    question: hint === '' ? text : `${text} (${hint})`,
    // A title alone is the question itself.
    ...(description.trim() !== '' &&
      title.trim() !== '' &&
      !description.startsWith(title) && { header: title }),
    required: required && field.default === undefined,
    ...choicesOf(field),
  }
}

function choicesOf(field: Field): Partial<Question> {
  if (field.kind === 'boolean') {
    const options = [
      { label: 'Yes', value: 'true' },
      { label: 'No', value: 'false' },
    ]
    return { options, allowFreeText: false, ...defaultOption(field.default?.toString()) }
  }
  if (field.kind !== 'choice' && field.kind !== 'choices') {
    const typed = typedIn(field)
    const question: Partial<Question> = typed ? { typed } : {}
    return { ...question, ...defaultText(question, field.default?.toString()) }
  }
  const placeholder = field.custom?.description
  return {
    options: field.options,
    ...(field.custom ? placeholder !== undefined && { placeholder } : { allowFreeText: false }),
    ...(field.kind === 'choices'
      ? { multiSelect: true, ...defaultOption(onlyOf(field)) }
      : defaultOption(known(field.options, field.default))),
  }
}

const known = (options: readonly { value: string }[], value: string | undefined): string | undefined =>
  options.some((option) => option.value === value) ? value : undefined

const defaultOption = (value: string | undefined): Partial<Question> =>
  value === undefined ? {} : { defaultOption: value }

/** A question has one default. Several choices that stand in together are said in words. */
const onlyOf = ({ options, default: [value, ...more] = [] }: Field & { kind: 'choices' }) =>
  more.length === 0 ? known(options, value) : undefined

/** A default that a person could not type stands in all the same, see `formatResult`. */
const defaultText = (question: Partial<Question>, text = ''): Partial<Question> =>
  text.trim() === '' || typedFault({ question: '', ...question }, text) !== null ? {} : { defaultText: text }

/** What an answer has to be where its field does not say so, and what counts without one, in words. */
function hintOf(field: Field): string {
  const fallback = fallbackOf(field)
  return [kindHint(field, typedIn(field)), fallback && `${fallback} if you leave it out`]
    .filter(Boolean)
    .join('; ')
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.com',
  date: 'a date such as 2026-01-31',
  'date-time': 'a date and time such as 2026-01-31T12:00:00Z',
}

/**
 * What an answer has to be, as a fault names it, too.
 *
 * @param typed what the field says of it: that is left out
 */
export function kindHint(field: Field, typed?: TypedAnswer): string | undefined {
  switch (field.kind) {
    case 'text': {
      const format = field.format === undefined || typed ? undefined : FORMATS[field.format]
      const { minLength, maxLength } = field
      const length = rangeOf(minLength, maxLength)
      const unit = (maxLength ?? minLength) === 1 ? 'character' : 'characters'
      return [format, length && `${length} ${unit}`].filter(Boolean).join(', ') || undefined
    }
    case 'number':
    case 'integer': {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field
      const range = rangeOf(minimum, maximum)
      const word = range?.includes(' to ') ? 'from' : 'of'
      const more = [
        exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
        exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
        multipleOf !== undefined && `in steps of ${multipleOf}`,
      ]
      const name = `a ${field.kind === 'integer' ? 'whole ' : ''}number${range ? ` ${word} ${range}` : ''}`
      const unsaid = typed ? (isWholeSaid(field, typed) ? [] : more) : [name, ...more]
      return unsaid.filter(Boolean).join(', ') || undefined
    }
    case 'choices': {
      const range = rangeOf(field.minItems || undefined, field.maxItems)
      return range && `${range} of these`
    }
    default:
      return undefined
  }
}

/** A field without steps has no limit that is not included; a field for whole numbers has only whole steps. */
const isWholeSaid = ({ multipleOf }: Field & { kind: 'number' | 'integer' }, typed: TypedAnswer): boolean =>
  typed.kind === 'number' && typed.step !== undefined && typed.step === (multipleOf ?? typed.step)

function rangeOf(from: number | undefined, to: number | undefined): string | undefined {
  if (from !== undefined && to !== undefined) return from === to ? `exactly ${to}` : `${from} to ${to}`
  if (to !== undefined) return `at most ${to}`
  return from === undefined ? undefined : `at least ${from}`
}

function fallbackOf(field: Field): string | undefined {
  if (field.default === undefined) return undefined
  if (field.kind === 'boolean') return field.default ? 'Yes' : 'No'
  if (field.kind !== 'choice' && field.kind !== 'choices') return `${field.default}`
  return [field.default]
    .flat()
    .map((value) => field.options.find((option) => option.value === value)?.label ?? value)
    .join(', ')
}
