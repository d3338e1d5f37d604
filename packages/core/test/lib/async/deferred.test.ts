import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../../../src/lib/async/deferred.ts'

it('a promise is resolved, or rejected, from outside', async () => {
  const [first, second] = [deferred<number>(), deferred<number>()]
  first.resolve(1)
  expect(await first.promise).toBe(1)
  const error = new Error('broken')
  second.reject(error)
  await expect(second.promise).rejects.toBe(error)
})

it('a rejection that nobody waits for ends no process', async () => {
  const onUnhandled = vi.fn()
  process.on('unhandledRejection', onUnhandled)
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled))
  deferred().reject(new Error('broken'))
  await setImmediate()
  expect(onUnhandled).not.toHaveBeenCalled()
})
