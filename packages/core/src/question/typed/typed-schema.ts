import * as v from 'valibot'
import { filledText } from '../../lib/schema.ts'
import type { NumberAnswer, TypedAnswer } from './typed-answer.ts'
import { isRange, limitsOf, stepOf, valueIn } from './typed-fault.ts'

const number = v.nullish(v.pipe(v.number(), v.finite('a number')))
const limit = v.nullish(filledText)
/** It stands in lines that people and models read. */
const unit = v.nullish(
  v.pipe(v.string(), v.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,30}$/u, 'up to 30 characters in one line')),
)
const flag = v.nullish(v.boolean())
const dates = { earliest: limit, latest: limit, range: flag }

/** How many values a rating has at most: from 0 to 10. */
const MOST_RATINGS = 11

/**
 * What a typed answer must be. Another key than those of its kind is a fault: with it something was meant that would not be
 * asked.
 */
export const typedSchema: v.GenericSchema<unknown, unknown> = v.pipe(
  v.variant('kind', [
    v.strictObject({
      kind: v.literal('number'),
      min: number,
      max: number,
      step: v.nullish(v.pipe(v.number(), v.finite('a number'), v.gtValue(0, 'a number above 0'))),
      unit,
      show: v.nullish(v.picklist(['slider', 'rating'])),
      range: flag,
    }),
    v.strictObject({ kind: v.picklist(['date', 'time']), ...dates }),
    v.strictObject({ kind: v.literal('date-time'), ...dates, zone: flag }),
    v.strictObject({ kind: v.picklist(['email', 'uri']) }),
  ]),
)

/** What is wrong with a kind of typed answer, whose keys are of the right types; `null` if people can answer it. */
export function typedKindFault(typed: TypedAnswer): string | null {
  const [least, most] = limitsOf(typed).map((text) => (text === undefined ? undefined : valueIn(typed, text)))
  if (Number.isNaN(least) || Number.isNaN(most)) return 'limits that are written as the answer is'
  if (least !== undefined && most !== undefined && least > most)
    return 'a first limit that is not above the last'
  return typed.kind === 'number' && typed.show ? shownFault(typed) : null
}

function shownFault(typed: NumberAnswer): string | null {
  const { show, min, max } = typed
  const step = stepOf(typed) as number
  if (min === undefined || max === undefined || isRange(typed))
    return `a min and a max, and no range, for a ${show}`
  const steps = (max - min) / step
  if (steps < 1) return `a step that fits between the min and the max of a ${show}`
  const isRating = [min, max, step].every(Number.isInteger) && steps < MOST_RATINGS
  return show === 'slider' || isRating ? null : `at most ${MOST_RATINGS} whole numbers for a rating`
}
