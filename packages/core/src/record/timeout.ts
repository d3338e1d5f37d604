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

/**
 * When the wait ends by the caller's clock, in milliseconds since 1970, or `null` for never. This is a hint for people:
 * only the runner counts the time. A draft saved at `draftAt` (ISO 8601) begins the wait again. The runner's clock may be
 * ahead, so the end is at most a full wait after `now`.
 */
export function deadlineOf(
  record: { timeoutMs: TimeoutMs; deadline: string | null },
  draftAt: string | undefined,
  now: number,
): number | null {
  if (record.timeoutMs === 'never' || record.deadline === null) return null
  const asked = Date.parse(record.deadline)
  const moved = draftAt === undefined ? asked : Math.max(asked, Date.parse(draftAt) + record.timeoutMs)
  return Math.min(moved, now + record.timeoutMs)
}
