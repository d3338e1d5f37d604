import type { Fault } from '../../lib/errors.ts'
import type { Question } from '../../question/question.ts'
import type { DateAnswer, NumberAnswer, TypedAnswer } from '../../question/typed/typed-answer.ts'
import { expectedOf, isWithin, limitsOf, valueIn } from '../../question/typed/typed-fault.ts'
import type { Field } from './field.ts'

/** The formats of MCP that a field of ours has. A date and time has an offset there. */
const FORMATS: Readonly<Record<string, TypedAnswer>> = {
  email: { kind: 'email' },
  uri: { kind: 'uri' },
  date: { kind: 'date' },
  'date-time': { kind: 'date-time', zone: true },
}

/** What an answer to a field must be. `undefined` for texts, choices, and for limits between which there is nothing. */
export function typedIn(field: Field): TypedAnswer | undefined {
  if (field.kind === 'text')
    return Object.hasOwn(FORMATS, field.format ?? '') ? FORMATS[field.format ?? ''] : undefined
  if (field.kind !== 'number' && field.kind !== 'integer') return undefined
  const typed = numberIn(field)
  const { min, max } = typed
  if (min === undefined || max === undefined || min < max) return typed
  return min === max && isNumberFor(field, min) ? typed : undefined
}

/** The fields between whose limits there is nothing. Nobody could answer them. */
export const emptyFields = (fields: readonly Field[]): Fault[] =>
  fields.filter(isEmpty).map(({ name }) => ({
    path: `requestedSchema.properties.${name}`,
    expected: 'limits between which there is something',
  }))

function isEmpty(field: Field): boolean {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return typedIn(field) === undefined
    case 'text':
      return isNoSize(field.minLength, field.maxLength)
    case 'choices':
      return isNoSize(field.minItems, Math.min(field.maxItems ?? field.options.length, field.options.length))
    default:
      return false
  }
}

/** An empty text is no answer, and no choice is none. */
const isNoSize = (least = 0, most = Number.POSITIVE_INFINITY): boolean =>
  Math.max(1, Math.ceil(least)) > Math.floor(most)

type NumberField = Field & { kind: 'number' | 'integer' }

/** Steps of JSON Schema begin at 0, those of a field at its `min`: so the limits are moved onto steps. */
function numberIn({
  kind,
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf = 0,
}: NumberField): NumberAnswer {
  const isWhole = kind === 'integer'
  const step =
    multipleOf > 0 && (!isWhole || Number.isInteger(multipleOf)) ? multipleOf : isWhole ? 1 : undefined
  const least = greater(minimum, exclusiveMinimum, 1)
  const most = greater(maximum, exclusiveMaximum, -1)
  const min = least === undefined || !step ? least : onStep(least, step, 1, least === exclusiveMinimum)
  const max = most === undefined || !step ? most : onStep(most, step, -1, most === exclusiveMaximum)
  return {
    kind: 'number',
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
  }
}

/** The narrower of two limits. */
const greater = (one: number | undefined, other: number | undefined, sign: 1 | -1): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : sign * Math.max(sign * one, sign * other)

/** The first step from a limit on, inwards. */
function onStep(limit: number, step: number, sign: 1 | -1, isExclusive: boolean): number {
  const steps = (sign * limit) / step
  const nearest = Math.round(steps)
  const isOn = Math.abs(steps - nearest) <= Math.abs(steps) * Number.EPSILON
  const first = isOn ? nearest + Number(isExclusive) : Math.ceil(steps)
  const value = sign * first * step
  return Number.isInteger(step) ? value + 0 : Number(value.toPrecision(15))
}

/** Whether a number is what the schema of its field wants. */
export function isNumberFor(field: NumberField, value: number): boolean {
  const { exclusiveMinimum, exclusiveMaximum, kind } = field
  return (
    isWithin(numberIn(field), value) &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (kind === 'number' || Number.isSafeInteger(value))
  )
}

/** The text of a field with a format as its schema takes it. `undefined` if it is none. */
export function textFor(format: string | undefined, text: string): string | undefined {
  const typed = Object.hasOwn(FORMATS, format ?? '') ? FORMATS[format ?? ''] : undefined
  if (!typed) return text
  const value = text.trim()
  if (Number.isNaN(valueIn(typed, value))) return undefined
  // A browser leaves out seconds, and RFC 3339 needs them.
  return typed.kind === 'date-time' ? value.replace(/(T\d\d:\d\d)(?!:)/i, '$1:00') : value
}

export type TypedFormField =
  | { type: 'number' | 'integer'; title: string; description?: string; minimum?: number; maximum?: number }
  | { type: 'string'; title: string; description?: string; format?: 'date' | 'date-time' | 'email' | 'uri' }

/** Writes what a typed answer must be as a schema, and what the schema cannot say in words. */
export function typedField(
  { typed, question }: Question & { typed: TypedAnswer },
  title: string,
): TypedFormField {
  const described = (isSaid: boolean) => {
    const description = isSaid ? question : `${question}\n(${expectedOf(typed)})`
    return { title, ...(description !== title && { description }) }
  }
  const hasRange = 'range' in typed && typed.range === true
  const [least, most] = limitsOf(typed)
  if (typed.kind === 'number' && !hasRange) {
    const { min, max, step, unit, show } = typed
    const isWhole = Number.isInteger(step ?? (show ? 1 : 0.5)) && Number.isInteger(min ?? 0)
    const isSaid = unit === undefined && (step === undefined || (isWhole && step === 1))
    return {
      type: isWhole ? 'integer' : 'number',
      ...described(isSaid),
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    }
  }
  const format = formatOf(typed as Exclude<TypedAnswer, NumberAnswer>, hasRange)
  return { type: 'string', ...described(format !== undefined && !least && !most), ...(format && { format }) }
}

/** MCP has no format for a time, and none for a date and time without an offset. */
function formatOf(typed: Exclude<TypedAnswer, NumberAnswer>, hasRange: boolean) {
  if (hasRange || (typed as TypedAnswer).kind === 'number' || typed.kind === 'time') return undefined
  return typed.kind === 'date-time' && !(typed as DateAnswer).zone ? undefined : typed.kind
}
