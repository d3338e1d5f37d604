import { isRange, limitsOf, type NumberAnswer, stepOf, type TypedAnswer } from '@sandagent/core/internal'
import { isolated } from './isolated.ts'

/** A day, a time, or both, as the reader's own calendar and clock show it. */
const shownDate = (kind: TypedAnswer['kind'], text: string): string => {
  const at = new Date(kind === 'date' ? `${text}T00:00` : kind === 'time' ? `1970-01-01T${text}` : text)
  return isolated(
    at.toLocaleString([], {
      ...(kind !== 'time' && { dateStyle: 'medium' }),
      ...(kind !== 'date' && { timeStyle: 'short' }),
    }),
  )
}

/** The texts of a question for a number, a date or an address, in English. */
export const englishTypedLabels = {
  /** Below the question. An empty text for a field that says all by itself. */
  typedHint: (typed: TypedAnswer): string => {
    if (typed.kind === 'number' && typed.show === 'rating') return typed.unit ?? ''
    const [least, most] = limitsOf(typed).map(
      (limit) => limit && (typed.kind === 'number' ? limit : shownDate(typed.kind, limit)),
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
  /** Beside a date and time that is a moment: the zone of this browser. */
  inZone: (zone: string): string => `Time in ${zone}`,
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
