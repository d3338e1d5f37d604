import * as v from 'valibot'
import type { Fault } from '../../lib/errors.ts'
import { filledText } from '../../lib/schema.ts'
import type { NumberAnswer, TypedAnswer } from './typed-answer.ts'
import { isRange, KINDS, limitsOf, nameOf, stepOf, valueIn } from './typed-fault.ts'

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
  v.variant(
    'kind',
    [
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
    ],
    KINDS.join(', '),
  ),
)

/** What is wrong with a kind of typed answer, whose keys are of the right types, by its key; `null` if people can answer it. */
export function typedKindFault(typed: TypedAnswer): Fault | null {
  const keys = typed.kind === 'number' ? (['min', 'max'] as const) : (['earliest', 'latest'] as const)
  const limits = limitsOf(typed)
  const [least, most] = limits.map((text) => (text === undefined ? undefined : valueIn(typed, text)))
  const [unread] = keys.filter((_, at) => Number.isNaN([least, most][at]))
  if (unread) return { path: unread, expected: nameOf(typed) }
  if (least !== undefined && most !== undefined && least > most)
    return {
      path: keys[0],
      expected: `a value that is not ${typed.kind === 'number' ? 'above' : 'after'} the ${keys[1]}, ${limits[1]}`,
    }
  return typed.kind === 'number' && typed.show ? shownFault(typed) : null
}

function shownFault(typed: NumberAnswer): Fault | null {
  const { show, min, max } = typed
  const step = stepOf(typed) as number
  if (min === undefined || max === undefined || isRange(typed))
    return { path: 'show', expected: `a min and a max, and no range, for a ${show}` }
  const steps = (max - min) / step
  if (steps < 1)
    return { path: 'step', expected: `a step that fits between the min and the max of a ${show}` }
  const isRating = [min, max, step].every(Number.isInteger) && steps < MOST_RATINGS
  if (show === 'slider' || isRating) return null
  return { path: 'show', expected: `at most ${MOST_RATINGS} whole numbers for a rating` }
}
