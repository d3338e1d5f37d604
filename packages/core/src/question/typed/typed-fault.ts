import { platform } from '../../lib/platform.ts'
import { withoutHidden } from '../../lib/text/printable.ts'
import type { Question } from '../question.ts'
import { isTooLong, MOST_DIGITS, numberIn, numbersMeant, writtenNumber } from './numbers.ts'
import { bareText, type DateAnswer, type NumberAnswer, type TypedAnswer } from './typed-answer.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/
const OFFSET = /(Z|[-+]([01]\d|2[0-3]):[0-5]\d)$/

const ADDRESSES = {
  email: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i,
}

/** Whether it is one, with no character that nobody sees. */
function isAddress(kind: keyof typeof ADDRESSES, text: string): boolean {
  if (!ADDRESSES[kind].test(text) || withoutHidden(text) !== text) return false
  try {
    return kind === 'email' || new platform.URL(text).href !== ''
  } catch {
    return false
  }
}

/** What each kind is called in a message, and an example of a person's own way to write it. */
const NAMES: Readonly<Record<TypedAnswer['kind'], string>> = {
  number: 'a number',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 14:30',
  'date-time': 'a date and time such as 2026-01-31T14:30',
  email: 'an e-mail address',
  uri: 'an address such as https://example.com',
}

export const KINDS: readonly string[] = Object.keys(NAMES)

/** A number or date, or one end of a range, to compare with others. `NaN` for a text that is none. */
export function valueIn(typed: TypedAnswer, text: string): number {
  switch (typed.kind) {
    case 'number':
      return numberIn(text)
    case 'date':
      return dayIn(text)
    case 'time':
      return clockIn(text)
    case 'date-time': {
      const [day = '', clock = ''] = text.split('T')
      const [offset = ''] = OFFSET.exec(clock) ?? []
      const isWhole = (offset !== '') === (typed.zone === true)
      const local = clock.slice(0, clock.length - offset.length)
      return isWhole
        ? dayIn(day) + clockIn(local) + Date.parse(`1970-01-01T00:00${offset || 'Z'}`)
        : Number.NaN
    }
    default:
      return isAddress(typed.kind, text) ? 0 : Number.NaN
  }
}

/** A day that is in the calendar: `Date` makes 2 March of 30 February. */
function dayIn(text: string): number {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? time : Number.NaN
}

const clockIn = (text: string): number => (CLOCK.test(text) ? Date.parse(`1970-01-01T${text}Z`) : Number.NaN)

/** The texts of an answer: two of a range, or one. */
export const partsOf = (typed: TypedAnswer, text: string): string[] =>
  isRange(typed) ? text.split('/') : [text]

/** Whether the answer is two: from and to. */
export const isRange = (typed: TypedAnswer): boolean => 'range' in typed && typed.range === true

/** The least and the greatest value, as they are written. */
export function limitsOf(typed: TypedAnswer): [least?: string | undefined, most?: string | undefined] {
  if ('min' in typed || 'max' in typed) return [typed.min?.toString(), typed.max?.toString()]
  return 'earliest' in typed || 'latest' in typed ? [typed.earliest, typed.latest] : []
}

/** The step of a number, if it has any. */
export const stepOf = ({ show, step }: NumberAnswer): number | undefined => step ?? (show && 1)

/** What a typed answer must be. A page shows questions that nobody has parsed: of those, what can be used. */
export function typedOf({ typed }: Question): TypedAnswer | undefined {
  const usable = Object.entries(typed ?? {}).filter(([, value]) => typeof value !== 'object')
  const read = Object.fromEntries(usable) as Partial<TypedAnswer>
  return Object.hasOwn(NAMES, read.kind ?? '') ? (read as TypedAnswer) : undefined
}

/** How the two values of a range are typed: into one field, or into two. */
const RANGES = { one: 'from and to with only a slash between', two: 'from and to in this order' } as const

/**
 * What a typed answer should have been, in words, if it is something else. Nothing typed is no answer, and no fault. Blanks at
 * its ends are a fault: where people type, they are taken away first.
 *
 * @param fields into how many fields a person types a range
 */
export function typedFault(
  question: Question,
  text = '',
  fields: keyof typeof RANGES = 'one',
): string | null {
  const typed = typedOf(question)
  if (!typed || text.trim() === '') return null
  const parts = partsOf(typed, text)
  const values = parts.map((part) => valueIn(typed, part))
  const [from = Number.NaN, to = from] = values
  const areFit = values.every((value) => isWithin(typed, value))
  // A night is one range. Limits are of one day: beyond midnight, it would leave them.
  const isReversed = from > to && (typed.kind !== 'time' || limitsOf(typed).some(Boolean))
  if (areFit && !isReversed && values.length === (isRange(typed) ? 2 : 1)) return null
  const expected = expectedOf(typed, fields)
  if (areFit && isReversed) {
    const sorted = fields === 'one' ? `, as in ${parts.toReversed().join('/')}` : ''
    return `${expected}: the first must not be ${typed.kind === 'number' ? 'above' : 'after'} the second${sorted}`
  }
  return `${expected}${reasonIn(typed, parts)}`
}

/** What is wrong with a text whose kind and limits alone do not say it. */
function reasonIn(typed: TypedAnswer, parts: readonly string[]): string {
  const [from = '', to = '', ...more] = parts.map((part) => part.trim())
  if (isRange(typed) && more.length === 0 && [from, to].filter(Boolean).length === 1) {
    const [missing, given] = from === '' ? ['first', to] : ['second', from]
    if (isWithin(typed, valueIn(typed, given))) return `: the ${missing} is missing`
  }
  for (const part of parts) {
    const reason =
      hiddenReason(part) || (typed.kind === 'number' ? numberReason(typed, part) : dateReason(part))
    if (reason) return reason
  }
  return ''
}

/** It looks right, and is copied along from other programs. */
const hiddenReason = (text: string): string =>
  withoutHidden(text) === text ? '' : ', without the character that nobody sees'

function numberReason(typed: NumberAnswer, text: string): string {
  if (isTooLong(text)) return `, with at most ${MOST_DIGITS} digits`
  const [only, ...more] = numbersMeant(text).filter((value) => isWithin(typed, value))
  if (only === undefined || (more.length === 0 && only === valueIn(typed, text))) return ''
  const written = [only, ...more].map(writtenNumber).join(' or ')
  return `: write ${written}, ${more.length > 0 ? `because ${text} means either` : `not ${text}`}`
}

function dateReason(text: string): string {
  const [day] = /^\d{4}-\d\d-\d\d(?!\d)/.exec(text) ?? []
  if (day && Number.isNaN(dayIn(day))) return `: ${day} is not in the calendar`
  const [clock] = /(?<!\d)\d\d:\d\d/.exec(text) ?? []
  return clock && Number.isNaN(clockIn(clock)) ? `: ${clock} is not on the clock` : ''
}

/**
 * The same of a text that a person types. Its blanks are taken away as they are when it is sent. A number that some people
 * write for another one is a fault: from a program, such as a default of the agent, `1.500` is 1.5.
 */
export function enteredFault(
  question: Question,
  text = '',
  fields: keyof typeof RANGES = 'one',
): string | null {
  const typed = typedOf(question)
  const entered = bareText(question, text)
  const fault = typedFault(question, entered, fields)
  const isTyped = entered !== '' && entered !== question.defaultText
  if (fault !== null || !isTyped || typed?.kind !== 'number' || typed.show) return fault
  const reason = reasonIn(typed, partsOf(typed, entered))
  return reason === '' ? null : `${expectedOf(typed, fields)}${reason}`
}

/** Whether a value is within the limits, and on a step. `NaN` never is. */
export function isWithin(typed: TypedAnswer, value: number): boolean {
  const [least, most] = limitsOf(typed).map((limit) =>
    limit === undefined ? value : valueIn(typed, `${limit}`),
  )
  const step = typed.kind === 'number' ? stepOf(typed) : undefined
  return (
    Number.isFinite(value) &&
    value >= (least ?? value) &&
    value <= (most ?? value) &&
    (step === undefined || isOnStep(value, (typed as NumberAnswer).min ?? 0, step))
  )
}

/** As exactly as numbers are: 0.3 is three steps of 0.1. */
function isOnStep(value: number, base: number, step: number): boolean {
  const steps = (value - base) / step
  const rounding = ((Math.abs(value) + Math.abs(base)) / step) * Number.EPSILON
  return Math.abs(steps - Math.round(steps)) <= rounding
}

/** What a typed answer must be, in words. */
export function expectedOf(typed: TypedAnswer, fields: keyof typeof RANGES = 'one'): string {
  const [least, most] = limitsOf(typed)
  const limits =
    typed.kind === 'number'
      ? [least && `at least ${least}`, most && `at most ${most}`]
      : [least && `not before ${least}`, most && `not after ${most}`]
  const bounds = limits.filter(Boolean).join(' and ')
  const range = isRange(typed) && RANGES[fields]
  return [nameOf(typed), range, bounds, stepsText(typed)].filter(Boolean).join(', ')
}

/** What its kind is called. */
export function nameOf(typed: TypedAnswer): string {
  if (typed.kind === 'number') {
    const whole = isWhole(typed) ? 'a whole number' : NAMES.number
    return typed.unit === undefined ? whole : `${whole} (${typed.unit})`
  }
  const name = NAMES[typed.kind]
  return (typed as DateAnswer).zone ? `${name}+01:00` : name
}

const isWhole = (typed: NumberAnswer): boolean => stepOf(typed) === 1 && Number.isInteger(typed.min ?? 0)

function stepsText(typed: TypedAnswer): string | undefined {
  const step = typed.kind === 'number' && !isWhole(typed) ? stepOf(typed) : undefined
  return step === undefined ? undefined : `in steps of ${step}`
}
