import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { arrivalTime, requestOrder } from '../../src/answers/request-order.ts'

it('requests come one after another, also within a millisecond and when the clock goes back', () => {
  const clock = createFakeClock()
  const start = clock.now()
  expect([arrivalTime(clock), arrivalTime(clock)]).toEqual([start, start + 1])
  clock.advance(-1000)
  expect(arrivalTime(clock)).toBe(start + 2)
  clock.advance(5000)
  expect(arrivalTime(clock)).toBe(start + 4000)
})

it('requests by another clock have times of their own', () => {
  const clock = createFakeClock()
  arrivalTime(clock)
  const other = createFakeClock()
  expect(arrivalTime(other)).toBe(other.now())
})

describe('the order of a request', () => {
  const iso = (time: number): string => new Date(time).toISOString()

  it('is that of its arrival, whatever is written first', () => {
    const clock = createFakeClock()
    const [first, second] = [arrivalTime(clock), arrivalTime(clock)]
    const later = requestOrder(second, undefined, clock)
    const earlier = requestOrder(first, iso(later.time), clock)
    expect([earlier.time, later.time]).toEqual([first, second])
    expect(earlier.isBefore(iso(later.time))).toBe(true)
    expect(later.isBefore(iso(earlier.time))).toBe(false)
  })

  it('is behind what another host stored before it came, whose clock is ahead', () => {
    const clock = createFakeClock()
    const [first, second] = [arrivalTime(clock), arrivalTime(clock)]
    const theirs = iso(clock.now() + 5000)
    const later = requestOrder(second, theirs, clock)
    expect(later.isBefore(theirs)).toBe(false)
    expect(later.time).toBeGreaterThan(Date.parse(theirs))
    // An earlier request of this host goes on.
    const earlier = requestOrder(first, theirs, clock)
    expect(earlier.isBefore(theirs)).toBe(false)
    expect(earlier.isBefore(iso(later.time))).toBe(true)
    expect(later.isBefore(iso(earlier.time))).toBe(false)
  })

  it('is by the clocks among requests of several hosts at the same time', () => {
    const clock = createFakeClock()
    const { time, isBefore } = requestOrder(arrivalTime(clock), undefined, clock)
    expect([time - 1, time + 1].map((other) => isBefore(iso(other)))).toEqual([false, true])
  })

  it('has a time that can be written, whatever an agent has written', () => {
    const clock = createFakeClock()
    const last = '+275760-09-13T00:00:00.000Z'
    expect(() => iso(requestOrder(arrivalTime(clock), last, clock).time)).not.toThrow()
  })
})
