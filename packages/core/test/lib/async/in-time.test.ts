import { getEventListeners } from 'node:events'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { inTime } from '../../../src/internal.ts'

const late = () => new Error('too late')

it('work in time is what it comes to, and leaves no timer and no listener', async () => {
  const clock = createFakeClock()
  const { signal } = new AbortController()
  expect(await inTime(Promise.resolve('done'), { clock, ms: 1000, signal, late })).toBe('done')
  await expect(inTime(Promise.reject(new Error('failed')), { clock, ms: 1000, late })).rejects.toThrow(
    'failed',
  )
  expect(clock.pending()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('work that takes too long, or is waited for no more, is late', async () => {
  const clock = createFakeClock()
  const stop = new AbortController()
  const never = new Promise(() => {})
  const timed = inTime(never, { clock, ms: 1000, late })
  const stopped = inTime(never, { clock, ms: 5000, signal: stop.signal, late })
  clock.advance(1000)
  await expect(timed).rejects.toThrow('too late')
  stop.abort()
  await expect(stopped).rejects.toThrow('too late')
  await expect(inTime(never, { clock, ms: 5000, signal: stop.signal, late })).rejects.toThrow('too late')
})
