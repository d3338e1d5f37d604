import { isAnswer, type QuestionResponse, responseTo } from '../../answer/response.ts'
import type { Fault } from '../../lib/errors.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { valueIn } from '../../question/typed/typed-fault.ts'
import type { Outcome } from '../../record/outcome/outcome.ts'
import { type Field, parseElicitation } from './field.ts'
import { CONSENT, kindHint, parseRequest } from './question.ts'
import { isNumberFor, textFor } from './typed-kind.ts'

/** What MCP takes as the value of a field. */
export type ElicitedValue = string | number | boolean | string[]

/** The result of an `elicitation/create` request. */
export type ElicitationResult =
  | { action: 'accept'; content?: Record<string, ElicitedValue> }
  | { action: 'decline' }
  | { action: 'cancel' }

/**
 * Writes the outcome of the questions of `parseRequest` as the result of the request, with values of the types that
 * its schema wants and its defaults where an answer was left out. A person who declines declines; what nobody decided
 * (a time-out, an abort) is `cancel`. Answers that do not fit the schema are faults, with `content.NAME` as path:
 * ask for those again.
 *
 * @throws AskError `INVALID_QUESTIONS` when `params` are no elicitation.
 */
export function formatResult(outcome: Outcome, params: unknown): ElicitationResult | { faults: Fault[] } {
  const { kind, responses } = outcome
  if (kind === 'timed-out' || kind === 'aborted') return { action: 'cancel' }
  // A submission in which every question is skipped is no answer, but the schema may have defaults for all.
  if (kind === 'declined' && Object.keys(responses).length === 0) return { action: 'decline' }
  const elicitation = parseElicitation(params)
  const questions = parseRequest(params)
  const given = questions.map((question) => responseTo(responses, question))
  if (elicitation.mode === 'url') return agrees(given[0]) ? { action: 'accept' } : { action: 'decline' }
  if (elicitation.fields.length === 0)
    return agrees(given[0]) ? { action: 'accept', content: {} } : { action: 'decline' }
  const read = elicitation.fields.map((field, index) => readField(field, given[index]))
  const faults = read.flatMap((result) => ('expected' in result ? [result] : []))
  if (faults.length > 0) return { faults }
  const entries = read.flatMap((result) => ('entries' in result ? result.entries : []))
  if (kind === 'declined' && entries.length === 0) return { action: 'decline' }
  return { action: 'accept', content: Object.fromEntries(entries) }
}

const agrees = (response: QuestionResponse | undefined): boolean =>
  isAnswer(response) && response.selected[0] === CONSENT.yes

/** The questions that the faults of `formatResult` are about, each with what was wrong with its answer. */
export function faultyQuestions(
  params: unknown,
  questions: readonly AskedQuestion[],
  faults: readonly Fault[],
): AskedQuestion[] {
  const elicitation = parseElicitation(params)
  const names = elicitation.mode === 'form' ? elicitation.fields.map(({ name }) => name) : []
  return questions.flatMap((question, index) => {
    const fault = faults.find(({ path }) => path === pathOf(names[index] as string))
    return fault ? [{ ...question, question: `${question.question}\n\nExpected: ${fault.expected}` }] : []
  })
}

const pathOf = (name: string): string => `content.${name}`

type Entry = [string, ElicitedValue]

function readField(field: Field, response: QuestionResponse | undefined): { entries: Entry[] } | Fault {
  const path = pathOf(field.name)
  if (!isAnswer(response)) {
    if (field.default !== undefined) return { entries: [[field.name, field.default]] }
    return field.required ? { path, expected: kindHint(field) ?? 'an answer' } : { entries: [] }
  }
  const { selected, freeText = '', notes = '' } = response
  const fault = { path, expected: kindHint(field) ?? 'one of the choices' }
  if (field.kind === 'choice' || field.kind === 'choices') {
    const fits = field.kind === 'choice' || isWithin(selected.length, field.minItems, field.maxItems)
    if (!fits && !(field.custom && selected.length === 0)) return fault
    const picked: Entry[] =
      field.kind === 'choices' ? [[field.name, selected]] : selected.map((value) => [field.name, value])
    // Beside several choices, words are an answer and no note.
    const words = freeText.trim() === '' && field.kind === 'choice' ? notes : freeText
    const custom: Entry[] = field.custom && words.trim() !== '' ? [[field.custom.name, words]] : []
    return { entries: [...picked, ...custom] }
  }
  const value = field.kind === 'boolean' ? selected[0] === 'true' : readText(field, freeText)
  if (value !== undefined) return { entries: [[field.name, value]] }
  const digits = isTooLong(field, freeText.trim()) ? ', with at most 15 digits' : ''
  return { path, expected: `${fault.expected}${digits}, not ${quoted(freeText)}` }
}

/** What a person typed, as they find it again. */
const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Whether it is a number that would arrive as another one, and nothing else is wrong with it. */
const isTooLong = (field: Field, text: string): boolean =>
  field.kind === 'integer' &&
  /^[+-]?\d+$/.test(text) &&
  !Number.isSafeInteger(Number(text)) &&
  isWithin(Number(text), field.minimum, field.maximum)

function readText(
  field: Field & { kind: 'text' | 'number' | 'integer' },
  text: string,
): string | number | undefined {
  if (field.kind !== 'text') {
    const number = valueIn({ kind: 'number' }, text.trim())
    return isNumberFor(field, number) ? number : undefined
  }
  const value = textFor(field.format, text)
  const fits = value !== undefined && isWithin([...value].length, field.minLength, field.maxLength)
  return fits ? value : undefined
}

const isWithin = (value: number, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): boolean =>
  from <= value && value <= to
