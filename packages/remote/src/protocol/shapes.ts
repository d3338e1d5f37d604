import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import * as v from 'valibot'

/** One call: its arguments, its reply, and what comes before the reply. */
export interface Shape<A, V, E = never> {
  args: A
  value: V
  event: E
}

/** The schemas of one call. */
export interface CallSchemas<A, V, E> {
  args: v.GenericSchema<unknown, A>
  value: v.GenericSchema<unknown, V>
  event: v.GenericSchema<unknown, E>
}

export const call = <T extends v.ObjectEntries, V, E = never>(
  args: T,
  value: v.GenericSchema<unknown, V>,
  event: v.GenericSchema<unknown, E> = v.never(),
): CallSchemas<v.InferOutput<v.ObjectSchema<T, undefined>>, V, E> => ({ args: v.object(args), value, event })

export const nothing: v.GenericSchema<unknown, null> = v.null()

/** Longer than any path of a system. */
export const path: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(20_000))

/** A file's text has at most as many characters as bytes. */
export const text: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(MAX_FILE_BYTES))

export const names: v.GenericSchema<unknown, string[]> = v.pipe(v.array(path), v.maxLength(1000))
export const size: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const handle: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))

/** Bytes as base64. */
export const bytes: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.maxLength(2 * MAX_FILE_BYTES),
  v.regex(/^[A-Za-z0-9+/]*={0,2}$/),
)
