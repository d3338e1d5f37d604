import type { Clock } from '@sandagent/core'

const HOUR_MS = 60 * 60_000

/** Counts one more of a name. Returns `null` as long as there are at most `most` in this hour, then when the hour ends. */
export type HourlyLimit = (name: string, onFull: () => void) => number | null

/** @returns a limit that calls `onFull` once for each name and hour */
export function createHourlyLimit(most: number, { clock }: { clock: Clock }): HourlyLimit {
  const counts = new Map<string, number>()
  let endsAt = Number.NEGATIVE_INFINITY
  return (name, onFull) => {
    if (clock.now() >= endsAt) {
      counts.clear()
      endsAt = clock.now() + HOUR_MS
    }
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count === most + 1) onFull()
    return count > most ? endsAt : null
  }
}
