import { deferred } from '@sandagent/core/internal'
import { expect, it } from 'vitest'
import { createWaiters } from '../../src/lib/waiters.ts'

function start() {
  const { promise, resolve, reject } = deferred<string>()
  let aborts = 0
  const waitUnless = createWaiters(promise)
  const wait = (signal: AbortSignal) => waitUnless(signal, () => void aborts++)
  return { wait, resolve, reject, aborts: () => aborts }
}

/** A controller, and how many listeners its signal has. */
function counted() {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: unknown[]) => {
    listeners++
    Reflect.apply(addEventListener, signal, args)
  }
  signal.removeEventListener = (...args: unknown[]) => {
    listeners--
    Reflect.apply(removeEventListener, signal, args)
  }
  return { controller, signal, listeners: () => listeners }
}

it('all who wait get the value, and their signals keep no listener', async () => {
  const { wait, resolve, aborts } = start()
  const [one, other] = [counted(), counted()]
  const waits = [wait(one.signal), wait(other.signal)]
  expect([one.listeners(), other.listeners()]).toEqual([1, 1])
  resolve('value')
  expect(await Promise.all(waits)).toEqual(['value', 'value'])
  expect([one.listeners(), other.listeners(), aborts()]).toEqual([0, 0, 0])
  one.controller.abort()
  expect(aborts()).toBe(0)
})

it('all who wait get the error', async () => {
  const { wait, reject } = start()
  const { signal, listeners } = counted()
  const waiting = wait(signal)
  reject('broken')
  await expect(waiting).rejects.toBe('broken')
  expect(listeners()).toBe(0)
})

it('a wait ends with the reason of its signal, and the others go on', async () => {
  const { wait, resolve, aborts } = start()
  const [one, other] = [counted(), counted()]
  const [first, second] = [wait(one.signal), wait(other.signal)]
  one.controller.abort('gone')
  await expect(first).rejects.toBe('gone')
  expect([one.listeners(), aborts()]).toEqual([0, 1])
  resolve('value')
  expect(await second).toBe('value')
  expect(one.listeners()).toBe(0)
})

it('two waits with one signal share one listener', async () => {
  const { wait, aborts } = start()
  const { controller, signal, listeners } = counted()
  const waits = [wait(signal), wait(signal)]
  expect(listeners()).toBe(1)
  controller.abort('gone')
  for (const waiting of waits) await expect(waiting).rejects.toBe('gone')
  expect(aborts()).toBe(1)
})

it('a signal that has aborted before ends its wait at once', async () => {
  const { wait, aborts } = start()
  await expect(wait(AbortSignal.abort('gone'))).rejects.toBe('gone')
  expect(aborts()).toBe(1)
})

it('the value is there after the end, even for an aborted signal', async () => {
  const { wait, resolve, aborts } = start()
  resolve('value')
  await new Promise(setImmediate)
  const { signal, listeners } = counted()
  expect(await wait(signal)).toBe('value')
  expect(await wait(AbortSignal.abort())).toBe('value')
  expect([listeners(), aborts()]).toEqual([0, 0])
})
