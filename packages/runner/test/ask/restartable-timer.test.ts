import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { RestartableTimer } from '../../src/ask/restartable-timer.ts'

function create() {
  const clock = createFakeClock()
  let ends = 0
  const timer = new RestartableTimer(clock, () => void ends++)
  return { clock, timer, ends: () => ends }
}

it('the timer ends once', () => {
  const { clock, timer, ends } = create()
  expect(timer.hasEnded).toBe(false)
  timer.start(100)
  clock.advance(99)
  expect([timer.hasEnded, ends()]).toEqual([false, 0])
  clock.advance(1)
  expect([timer.hasEnded, ends(), clock.pending()]).toEqual([true, 1, 0])
})

it('a start begins from zero, also after the end', () => {
  const { clock, timer, ends } = create()
  timer.start(100)
  clock.advance(99)
  timer.start(100)
  clock.advance(99)
  expect([ends(), clock.pending()]).toEqual([0, 1])
  clock.advance(1)
  timer.start(50)
  expect(timer.hasEnded).toBe(false)
  clock.advance(50)
  expect([timer.hasEnded, ends()]).toEqual([true, 2])
})

it('a timer that is stopped or has no time never ends', () => {
  const { clock, timer, ends } = create()
  timer.stop()
  timer.start(100)
  timer.stop()
  expect(clock.pending()).toBe(0)
  timer.start(100)
  timer.start(null)
  expect([clock.pending(), ends(), timer.hasEnded]).toEqual([0, 0, false])
})
