import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { beginAgain, type PendingRequest, takeEvent } from '../../src/connection/pending-request.ts'
import { ACKNOWLEDGE_BYTES, EVENT_WINDOW_BYTES } from '../../src/protocol/limits.ts'

/** A request for the changes of a folder. */
function watching(onEvent: PendingRequest['onEvent']) {
  const request: PendingRequest = {
    id: 1,
    call: 'watch',
    args: {},
    isSent: true,
    isReplied: false,
    isWaiting: true,
    isOnce: false,
    ahead: 0,
    taken: 0,
    cancelTimer() {},
    onEvent,
    onAgain: vi.fn(),
    resolve: vi.fn(),
    reject: vi.fn(),
  }
  const acknowledged = vi.fn()
  const take = (size = ACKNOWLEDGE_BYTES) =>
    takeEvent(request, 'name', { size, acknowledge: () => acknowledged })
  return { request, take, acknowledged }
}

it('an event is acknowledged once it was taken', async () => {
  let taken = (): void => {}
  const { take, acknowledged } = watching(() => new Promise<void>((resolve) => (taken = resolve)))
  take()
  await turn()
  expect(acknowledged).not.toHaveBeenCalled()
  taken()
  await turn()
  expect(acknowledged.mock.calls).toEqual([[ACKNOWLEDGE_BYTES]])
})

it('an event that cannot be taken rejects its request', async () => {
  const failure = new Error('The reader is gone')
  const { request, take, acknowledged } = watching(() => Promise.reject(failure))
  take()
  await turn()
  expect(request.reject).toHaveBeenCalledWith(failure)
  expect(acknowledged).not.toHaveBeenCalled()
})

it('small events are acknowledged together', () => {
  const { take, acknowledged } = watching(() => {})
  take(ACKNOWLEDGE_BYTES - 1)
  expect(acknowledged).not.toHaveBeenCalled()
  take(1)
  take(1)
  expect(acknowledged.mock.calls).toEqual([[ACKNOWLEDGE_BYTES]])
})

it('a relay may have four windows of events under way, and no more', () => {
  const { take, request } = watching(() => new Promise(() => {}))
  for (let windows = 0; windows < 4; windows++) take(EVENT_WINDOW_BYTES)
  expect(() => take(1)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  beginAgain(request)
  expect(request.onAgain).toHaveBeenCalledOnce()
  take(4 * EVENT_WINDOW_BYTES)
})

it('events that were taken make room for others', () => {
  const { take, acknowledged } = watching(() => {})
  for (let events = 0; events < 10; events++) take(EVENT_WINDOW_BYTES)
  expect(acknowledged).toHaveBeenCalledTimes(10)
})
