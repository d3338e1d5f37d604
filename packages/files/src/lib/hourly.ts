const HOUR_MS = 60 * 60_000

/** How many keys are remembered. */
const MOST_KEYS = 1000

/**
 * Makes a function that tells whether something is due, and whether for the first time: at most once an hour for each key.
 * `now` is in milliseconds.
 */
export function createHourly(): (key: string, now: number) => 'first' | 'again' | null {
  const doneAt = new Map<string, number>()
  return (key, now) => {
    const last = doneAt.get(key)
    if (last !== undefined && Math.abs(now - last) < HOUR_MS) return null
    if (doneAt.size >= MOST_KEYS) doneAt.clear()
    doneAt.set(key, now)
    return last === undefined ? 'first' : 'again'
  }
}
