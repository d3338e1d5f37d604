import type { Clock } from '@sandagent/core'

const HOUR_MS = 60 * 60_000

/**
 * @returns a function that counts one more of a name, and calls `onFull` once for each name and hour. It returns `null` as long
 *   as there are at most `most` in this hour, then when the hour ends
 */
export function createHourlyLimit(most: number, { clock }: { clock: Clock }) {
  const counts = new Map<string, number>()
  let endsAt = Number.NEGATIVE_INFINITY
  return (name: string, onFull: () => void): number | null => {
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
