import * as v from 'valibot'

/** How long a question waits without anybody touching it: milliseconds, up to {@link LONGEST_TIMEOUT_MS}, or for ever. */
export type TimeoutMs = number | 'never'

/** A year: enough for any person, and a deadline far from the end of dates. */
export const LONGEST_TIMEOUT_MS: number = 365 * 24 * 60 * 60 * 1000

/** The shape of {@link TimeoutMs} in files and requests. A union would name one limit at a time. */
export const timeoutSchema: v.GenericSchema<unknown, TimeoutMs> = v.pipe(
  v.custom<TimeoutMs>(
    (input) => input === 'never' || (typeof input === 'number' && input >= 0 && input <= LONGEST_TIMEOUT_MS),
    'milliseconds up to a year, or "never"',
  ),
  v.metadata({ anyOf: [{ type: 'number', minimum: 0, maximum: LONGEST_TIMEOUT_MS }, { const: 'never' }] }),
)
