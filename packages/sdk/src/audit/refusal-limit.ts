import type { Clock } from '@sandagent/core'
import type { Decision } from '../http/audit.ts'

/** How many refusals of one minute are written for each person, and for all who are not signed in. */
const MOST_REFUSALS = 100
const MINUTE_MS = 60_000

/** Refusals cost a stranger nothing. Without a limit they would fill the disk. */
export function createRefusalLimit(clock: Clock): {
  /** @returns how many were left out since the last one that is written; `null` if this one is left out, too */
  take(decision: Decision): number | null
} {
  let minuteBegan = Number.NEGATIVE_INFINITY
  let counts = new Map<string | undefined, number>()
  let left = 0
  return {
    take({ outcome, answeredBy }) {
      if (outcome !== 'OK') {
        if (Math.abs(clock.now() - minuteBegan) >= MINUTE_MS) {
          minuteBegan = clock.now()
          counts = new Map()
        }
        const count = (counts.get(answeredBy) ?? 0) + 1
        counts.set(answeredBy, count)
        if (count > MOST_REFUSALS) {
          left++
          return null
        }
      }
      const before = left
      left = 0
      return before
    },
  }
}
