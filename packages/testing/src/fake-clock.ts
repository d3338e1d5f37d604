import type { Clock } from '@sandagent/core/internal'

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Goes on by this many milliseconds. Timers that are due fire one after another, each at its own time. */
  advance(ms: number): void
  /** How many timers wait. */
  pending(): number
  /** Resolves once at least `count` timers wait. Default 1. So a test knows that code has begun to wait. */
  whenPending(count?: number): Promise<void>
}

interface Timer {
  /** In milliseconds since 1970. */
  at: number
  callback: () => void
}

/**
 * Makes a clock for tests: for `askUser`, `submitAnswer`, `createAnswerHandler` and everything else that takes a `clock`.
 *
 * @param start the time at the beginning, ISO 8601. Default: 2026-01-01T00:00:00Z
 */
export function createFakeClock(start = '2026-01-01T00:00:00Z'): FakeClock {
  let now = Date.parse(start)
  const timers = new Set<Timer>()
  let watchers: { count: number; resolve: () => void }[] = []

  const earliestUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]

  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback }
      timers.add(timer)
      const isMet = ({ count }: { count: number }): boolean => timers.size >= count
      for (const { resolve } of watchers.filter(isMet)) resolve()
      watchers = watchers.filter((watcher) => !isMet(watcher))
      return () => timers.delete(timer)
    },
    advance(ms) {
      const end = now + ms
      for (let due = earliestUntil(end); due; due = earliestUntil(end)) {
        timers.delete(due)
        now = due.at
        due.callback()
      }
      now = end
    },
    pending: () => timers.size,
    whenPending: (count = 1) =>
      new Promise((resolve) => {
        if (timers.size >= count) resolve()
        else watchers.push({ count, resolve })
      }),
  }
}
