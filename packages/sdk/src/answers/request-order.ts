import type { Clock } from '@sandagent/core'

/** So many times are remembered: more requests than are under way at once. */
const MOST_TIMES = 1000

interface Given {
  /** When the latest request came. */
  latest: number
  /** The times that this process gave to answers, and when the requests of these had come. */
  times: Map<number, number>
}

const givenBy = new WeakMap<Clock, Given>()

/** The last time that a `Date` has. */
const LAST_TIME = 8.64e15

/** When a request came, in milliseconds since 1970, and later than every earlier one. So the order of requests is known. */
export function arrivalTime(clock: Clock): number {
  const given = givenOf(clock)
  given.latest = Math.max(clock.now(), given.latest + 1)
  return given.latest
}

/** The place of a request among those of the same person. */
export interface RequestOrder {
  /** The time to store with its answer, in milliseconds since 1970. */
  time: number
  /** Whether an answer with this time, in ISO 8601, is of a later request. */
  isBefore(timestamp: string): boolean
}

/**
 * The order of a request. It is later than what was stored when it came. Another host may have stored that, whose clock is
 * ahead. Requests that are under way at the same time have the order of their arrival, in different hosts by their clocks.
 *
 * @param arrivedAt see {@link arrivalTime}
 * @param found the time of the person's answer that was there already, in ISO 8601
 */
export function requestOrder(arrivedAt: number, found: string | undefined, clock: Clock): RequestOrder {
  const { times } = givenOf(clock)
  const before = found === undefined ? 0 : Date.parse(found)
  let time = arrivedAt
  if (before >= arrivedAt && !times.has(before)) time = Math.min(before + 1, LAST_TIME)
  while (times.has(time) && times.get(time) !== arrivedAt) time++
  times.set(time, arrivedAt)
  const [oldest] = times.keys()
  if (times.size > MOST_TIMES && oldest !== undefined) times.delete(oldest)
  return {
    time,
    isBefore(timestamp) {
      const other = Date.parse(timestamp)
      const otherArrivedAt = times.get(other)
      return otherArrivedAt === undefined ? other > time : otherArrivedAt > arrivedAt
    },
  }
}

function givenOf(clock: Clock): Given {
  const given = givenBy.get(clock) ?? { latest: 0, times: new Map() }
  givenBy.set(clock, given)
  return given
}
