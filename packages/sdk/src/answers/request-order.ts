import type { Clock } from '@sandagent/core'

const latest = new WeakMap<Clock, number>()

/**
 * When a request comes, in milliseconds since 1970: later than each one before it in this process. So the order in which
 * a page clicked is known, however long each request takes from here on.
 */
export function arrivalTime(clock: Clock): number {
  const time = Math.max(clock.now(), (latest.get(clock) ?? 0) + 1)
  latest.set(clock, time)
  return time
}
