import { createFakeClock } from '@sandagent/core/testing'
import { expect, it } from 'vitest'
import { arrivalTime } from '../../src/answers/request-order.ts'

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
