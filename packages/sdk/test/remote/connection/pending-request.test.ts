import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { ACKNOWLEDGE_BYTES } from '../../../src/relay-protocol/limits.ts'
import { type PendingRequest, takeEvent } from '../../../src/remote/connection/pending-request.ts'

/** A request for the changes of a folder. */
function watching(onEvent: PendingRequest['onEvent']) {
  const request: PendingRequest = {
    id: 1,
    call: 'watch',
    args: {},
    isSent: true,
    isWaiting: true,
    isOnce: false,
    ahead: 0,
    taken: 0,
    onEvent,
    onAgain: vi.fn(),
    resolve: vi.fn(),
    reject: vi.fn(),
  }
  const acknowledged = vi.fn()
  const take = () => takeEvent(request, 'name', { size: ACKNOWLEDGE_BYTES, acknowledge: () => acknowledged })
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
