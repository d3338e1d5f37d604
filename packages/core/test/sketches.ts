import fc from 'fast-check'
import { AskError } from '../src/internal.ts'

/** A shape of JSON: text, the name of a text format, a flag, a list of one shape, or an object of shapes by key. */
export type Shape = 'text' | 'format' | 'flag' | readonly [Shape] | { readonly [key: string]: Shape }

/** JSON of about this shape: keys are missing, `null` or of another type now and then, and there are unknown ones. */
export function sketch(shape: Shape): fc.Arbitrary<unknown> {
  if (shape === 'text') return fc.oneof({ weight: 9, arbitrary: TEXT }, OTHER)
  if (shape === 'format')
    return fc.oneof({ weight: 9, arbitrary: fc.constantFrom('markdown', 'plain') }, OTHER)
  if (shape === 'flag') return fc.oneof({ weight: 9, arbitrary: fc.boolean() }, OTHER)
  if (isList(shape))
    return fc.oneof({ weight: 9, arbitrary: fc.array(sketch(shape[0]), { maxLength: 3 }) }, OTHER)
  const entries = Object.entries(shape).map(([key, value]) => [key, sketch(value)] as const)
  return fc.oneof(
    {
      weight: 19,
      arbitrary: fc.record({ ...Object.fromEntries(entries), unknown: OTHER }, { requiredKeys: [] }),
    },
    OTHER,
  )
}

/** What a strict parser reads, `null` for what it refuses. */
export function takenBy<T>(parse: (input: unknown) => T, input: unknown): T | null {
  try {
    return parse(input)
  } catch (error) {
    if (error instanceof AskError) return null
    throw error
  }
}

const TEXT = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom('A', ' ', '', '__proto__'))
const OTHER = fc.constantFrom<unknown>(null, 0, 'words', true, [], {}, [null])
const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)
