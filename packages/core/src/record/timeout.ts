import * as v from 'valibot'
import { MAX_TIMEOUT_MS } from '../question/limits.ts'

/** How long a question waits after it was asked or last changed: milliseconds up to {@link MAX_TIMEOUT_MS}, or no limit. */
export type TimeoutMs = number | 'never'

/** The shape of {@link TimeoutMs} in files and requests. A union would name one limit at a time. */
export const timeoutSchema: v.GenericSchema<unknown, TimeoutMs> = v.pipe(
  v.custom<TimeoutMs>(
    (input) => input === 'never' || (typeof input === 'number' && input >= 0 && input <= MAX_TIMEOUT_MS),
    'milliseconds up to a year, or "never"',
  ),
  v.metadata({ anyOf: [{ type: 'number', minimum: 0, maximum: MAX_TIMEOUT_MS }, { const: 'never' }] }),
)
