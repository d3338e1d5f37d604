import { AskError, type Clock } from '@sandagent/core'

/** How many requests may come at once, and how many a second in the long run: more than a person can send. */
const BURST = 60
const PER_SECOND = 5

/** How many subjects are remembered. The subject that was quiet for the longest time is forgotten first. */
const MOST_SUBJECTS = 10_000

/**
 * Limits requests by subject, with a token bucket each.
 *
 * @returns takes a token of a subject, or throws AskError `RATE_LIMITED` with `facts.retryAfterMs`
 */
export function createRateLimit(clock: Clock): (subject: string) => void {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (subject) => {
    const now = clock.now()
    const { tokens, at } = buckets.get(subject) ?? { tokens: BURST, at: now }
    const filled = Math.min(BURST, tokens + (Math.max(0, now - at) / 1000) * PER_SECOND)
    // Keeps the map in the order of use.
    buckets.delete(subject)
    buckets.set(subject, { tokens: Math.max(0, filled - 1), at: now })
    const [oldest] = buckets.keys()
    if (buckets.size > MOST_SUBJECTS && oldest !== undefined) buckets.delete(oldest)
    if (filled >= 1) return
    const retryAfterMs = Math.ceil(((1 - filled) / PER_SECOND) * 1000)
    throw new AskError(
      'RATE_LIMITED',
      'These are too many requests for one question. Wait as long as Retry-After says',
      {
        facts: { retryAfterMs },
      },
    )
  }
}
