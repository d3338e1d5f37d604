import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { createHeartbeat } from '../../src/connection/heartbeat.ts'

function beating() {
  const clock = createFakeClock()
  const [ping, onSilence] = [vi.fn(), vi.fn()]
  const heartbeat = createHeartbeat({ clock, ping, onSilence })
  return { clock, ping, onSilence, ...heartbeat }
}

it('a relay that answers is asked every 35 seconds', () => {
  const { clock, ping, onSilence, start, hear } = beating()
  start()
  for (const pings of [1, 2, 3]) {
    clock.advance(24_999)
    expect(ping).toHaveBeenCalledTimes(pings - 1)
    clock.advance(1)
    expect(ping).toHaveBeenCalledTimes(pings)
    hear()
    clock.advance(10_000)
  }
  expect(onSilence).not.toHaveBeenCalled()
})

it('a relay that answers nothing for ten seconds is silent, whatever it said before', () => {
  const { clock, onSilence, start, hear } = beating()
  start()
  hear()
  clock.advance(25_000)
  clock.advance(9_999)
  expect(onSilence).not.toHaveBeenCalled()
  clock.advance(1)
  expect(onSilence).toHaveBeenCalledOnce()
  expect(clock.pending()).toBe(0)
})

it.each([0, 25_000])('a heartbeat that stops after %d milliseconds leaves no timer', (ms) => {
  const { clock, start, stop } = beating()
  start()
  clock.advance(ms)
  stop()
  expect(clock.pending()).toBe(0)
})
