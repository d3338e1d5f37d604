import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { untilMove } from '../../src/park/parked-place.ts'

/** A place that moves when the test says so. */
function moving() {
  const callbacks = new Set<() => void>()
  const onMove = (callback: () => void) => {
    callbacks.add(callback)
    return () => void callbacks.delete(callback)
  }
  const move = () => {
    for (const callback of [...callbacks]) callback()
  }
  return { place: { onMove }, callbacks, move }
}

it('a turn ends when the place moves, or with its signal', () => {
  const { place, move } = moving()
  const stop = new AbortController()
  const [first, second] = [untilMove(place, stop.signal), untilMove(place, new AbortController().signal)]
  expect([first.signal.aborted, second.signal.aborted]).toEqual([false, false])
  stop.abort()
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false])
  move()
  expect(second.signal.aborted).toBe(true)
  expect(untilMove(place, AbortSignal.abort()).signal.aborted).toBe(true)
})

it('a turn that is over holds nothing', () => {
  const { place, callbacks, move } = moving()
  const stop = new AbortController()
  const turn = untilMove(place, stop.signal)
  expect([callbacks.size, getEventListeners(stop.signal, 'abort').length]).toEqual([1, 1])
  turn.end()
  expect([callbacks.size, getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0])
  stop.abort()
  move()
  expect(turn.signal.aborted).toBe(false)
})
