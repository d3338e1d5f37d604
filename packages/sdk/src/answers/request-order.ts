import type { Clock } from '@sandagent/core'

const latest = new WeakMap<Clock, number>()

/** When a request came, in milliseconds since 1970, and later than every earlier one. So the order of clicks is known. */
export function arrivalTime(clock: Clock): number {
  const time = Math.max(clock.now(), (latest.get(clock) ?? 0) + 1)
  latest.set(clock, time)
  return time
}
