import { expect, it, onTestFinished, vi } from 'vitest'
import { firstOf, withChanges } from '../../src/store/context.ts'

const onUnhandled = (): ReturnType<typeof vi.fn> => {
  const listener = vi.fn()
  process.on('unhandledRejection', listener)
  onTestFinished(() => void process.off('unhandledRejection', listener))
  return listener
}

it('a wait that its failed case left behind ends, and its failure is no unhandled rejection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const unhandled = onUnhandled()
  const close = vi.fn()
  const subscribe = () => ({ next: () => new Promise<null>(() => {}), close })
  const waits = firstOf({ subscribe }, 't1')
  await vi.advanceTimersByTimeAsync(50_000)
  // First the wait ends, then its rejection would be found unhandled.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  expect([close.mock.calls.length, unhandled.mock.calls]).toEqual([1, []])
  await expect(waits).rejects.toThrow('the wait for an answer to t1 does not end')
})

it('changes that cannot be followed fail their case at its end', async () => {
  const unhandled = onUnhandled()
  const failure = new Error('no changes')
  const subscribe = (): AsyncIterable<never> => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }),
  })
  const use = vi.fn(() => new Promise<void>(setImmediate))
  await expect(withChanges({ subscribe }, use)).rejects.toBe(failure)
  expect([use.mock.calls.length, unhandled.mock.calls]).toEqual([1, []])
})
