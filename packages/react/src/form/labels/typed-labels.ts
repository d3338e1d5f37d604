import { isRange, limitsOf, type NumberAnswer, stepOf, type TypedAnswer } from '@sandagent/core/internal'
import { isolated } from './isolated.ts'

/** A day, a time, or both, as the reader's own calendar and clock show it. */
const shownDate = (typed: TypedAnswer, text: string): string => {
  const { kind } = typed
  const isMoment = 'zone' in typed && typed.zone === true
  const local = kind === 'date' ? `${text}T00:00` : kind === 'time' ? `1970-01-01T${text}` : text
  return isolated(
    new Date(isMoment ? text : `${local}Z`).toLocaleString([], {
      ...(kind !== 'time' && { dateStyle: 'medium' }),
      ...(kind !== 'date' && { timeStyle: 'short' }),
      // A zone with summer time has no clock that shows each local time.
      ...(!isMoment && { timeZone: 'UTC' }),
    }),
  )
}

/** The texts of a question for a number, a date or an address, in English. */
export const englishTypedLabels = {
  /** Below the question. An empty text for a field that says all by itself. */
  typedHint: (typed: TypedAnswer): string => {
    if (typed.kind === 'number' && typed.show === 'rating') return typed.unit ?? ''
    const [least, most] = limitsOf(typed).map(
      (limit) => limit && (typed.kind === 'number' ? limit : shownDate(typed, limit)),
    )
    const limits = [
      least && (typed.kind === 'number' && !most ? `at least ${least}` : `from ${least}`),
      most && (least ? `to ${most}` : `${typed.kind === 'number' ? 'at most' : 'until'} ${most}`),
    ].filter(Boolean)
    if (typed.kind !== 'number') return limits.length > 0 ? `Possible: ${limits.join(' ')}` : ''
    return numberHint(typed, limits.join(' '))
  },
  /** What was typed does not fit. `expected` is in English, such as `a number, at least 1`. */
  misfit: (expected: string, _typed: TypedAnswer): string => `Enter ${expected}`,
  /** The two fields of a range. */
  from: 'From',
  to: 'To',
  /** A slider that nobody has moved. */
  notChosen: 'Not chosen yet',
  /** A value of a rating, such as `4 of 5`. */
  rated: (value: number, { min, max }: NumberAnswer): string =>
    min === 1 ? `${value} of ${max}` : `${value}`,
  /** A date or a time of which the browser knows only a part. */
  incomplete: 'Something is missing here, or it is not in the calendar',
  /** Beside a date and time that is a moment: the zone of this browser, and its offset then, such as `UTC+02:00`. */
  inZone: (zone: string, offset?: string): string => `Time in ${zone}${offset ? ` (${offset})` : ''}`,
  /** A moment that clocks in this zone pass over when they go forward. */
  skippedTime: 'Clocks go forward over this time: choose another one',
  /** A moment that clocks in this zone show twice, when they go back: which one it is. */
  shownTwice: 'Clocks show this time twice',
  beforeChange: (offset: string): string => `Before clocks go back (${offset})`,
  afterChange: (offset: string): string => `After clocks go back (${offset})`,
}

function numberHint(typed: NumberAnswer, limits: string): string {
  const step = stepOf(typed)
  const isWhole = step === 1 && Number.isInteger(typed.min ?? 0)
  const names = isRange(typed) ? ['Two numbers', 'Two whole numbers'] : ['A number', 'A whole number']
  const steps = step === undefined || isWhole ? '' : `, in steps of ${step}`
  const unit = typed.unit === undefined ? '' : ` (${typed.unit})`
  return `${names[Number(isWhole)]}${limits && ` ${limits}`}${steps}${unit}`
}

export type TypedLabels = typeof englishTypedLabels
