import type { Question } from '../question.ts'
import { writtenNumber } from './numbers.ts'
import { bareText, type NumberAnswer } from './typed-answer.ts'
import { isRange, limitsOf, partsOf, stepOf, typedFault, typedOf, valueIn } from './typed-fault.ts'

/**
 * A number, a date or a range as people say it: `250 ms`, `4 of 5`, `2026-01-01 to 2026-01-31`. `null` for every other answer,
 * for none, and for a text that does not fit.
 */
export function typedText(question: Question, words: string): string | null {
  const typed = typedOf(question)
  const text = bareText(question, words)
  if (!typed || text === '' || typed.kind === 'email' || typed.kind === 'uri') return null
  if (typedFault(question, text) !== null) return null
  const said = partsOf(typed, text).join(' to ')
  if (typed.kind !== 'number') return said
  const { show, unit, min, max } = typed
  const ofAll = show === 'rating' ? (min === 1 ? ` of ${max}` : ` (${min} to ${max})`) : ''
  return [`${said}${ofAll}`, unit].filter(Boolean).join(' ')
}

/** One text for each way to write an answer: `10` and `10.0`, or a moment in two zones. A text that does not fit stays. */
export function comparedText(question: Question, text: string): string {
  const typed = typedOf(question)
  if (!typed || typed.kind === 'email' || typed.kind === 'uri' || typedFault(question, text) !== null)
    return text
  return partsOf(typed, text)
    .map((part) => valueIn(typed, part))
    .join('/')
}

/**
 * The next number up or down that fits, from what is typed. From an empty text, it is the first one. A text that is no number
 * stays.
 */
export function steppedText(typed: NumberAnswer, text: string, by: 1 | -1): string {
  const [least, most] = limitsOf(typed).map((limit) => (limit === undefined ? limit : Number(limit)))
  const step = stepOf(typed) ?? 1
  const base = least ?? 0
  const place = (valueIn(typed, text.trim()) - base) / step
  if (Number.isNaN(place) && text.trim() !== '') return text
  const next = by === 1 ? Math.floor(place + NEARLY) + 1 : Math.ceil(place - NEARLY) - 1
  const last = most === undefined ? next : Math.floor((most - base) / step + NEARLY)
  const steps = Number.isNaN(place) ? Math.min(0, Number.isNaN(last) ? 0 : last) : Math.min(next, last)
  const value = base + Math.max(steps, least === undefined ? steps : 0) * step
  return writtenNumber(
    Number.isInteger(step) && Number.isInteger(base) ? value + 0 : Number(value.toPrecision(15)),
  )
}

/** Numbers are rounded: three steps of 0.1 are a little more than 0.3. */
const NEARLY = 1e-9

/** The text of an answer whose ends are entered one by one. */
export const rangeText = (ends: readonly string[]): string =>
  ends.some(Boolean) ? ends.map((end) => end.trim()).join('/') : ''

/** The ends of a range that may be typed in part, or the one text of another answer. */
export const endsOf = (question: Question, text: string): string[] => {
  const typed = typedOf(question)
  if (!typed || !isRange(typed)) return [text]
  const [from = '', ...to] = text.split('/')
  return [from, to.join('/')]
}
