import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import * as v from 'valibot'

/** The schemas of one call: its arguments, its reply, and what comes before the reply. */
export const call = <
  A extends v.ObjectEntries,
  V extends v.GenericSchema,
  E extends v.GenericSchema = v.NeverSchema<undefined>,
>(
  args: A,
  value: V,
  // Without an event, E is the type of `never`. TypeScript does not know that of a default.
  event: E = v.never() as unknown as E,
) => ({ args: v.object(args), value, event })

export const nothing = v.null()

/** Longer than any path of a system. */
export const path = v.pipe(v.string(), v.maxLength(20_000))

/** A file's text has at most as many characters as bytes. */
export const text = v.pipe(v.string(), v.maxLength(MAX_FILE_BYTES))

export const names = v.pipe(v.array(path), v.maxLength(1000))
export const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const handle = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))

export const bytes = v.pipe(v.string(), v.maxLength(2 * MAX_FILE_BYTES), v.regex(/^[A-Za-z0-9+/]*={0,2}$/))
