import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { withEnd } from '../../src/mcp/response-end.ts'

/** A response whose body is in the test's hands. */
function open() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const cancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel,
  })
  const onEnd = vi.fn()
  const response = withEnd(new Response(body, { status: 202, headers: { 'x-name': 'value' } }), onEnd)
  const write = (text: string) => controller?.enqueue(new TextEncoder().encode(text))
  return { response, onEnd, cancel, write, controller: () => controller }
}

it('a response has ended once its body was read to its end', async () => {
  const { response, onEnd, write, controller } = open()
  expect([response.status, response.headers.get('x-name')]).toEqual([202, 'value'])
  const text = response.text()
  write('one ')
  write('two')
  expect(onEnd).not.toHaveBeenCalled()
  controller()?.close()
  expect(await text).toBe('one two')
  expect(onEnd).toHaveBeenCalledOnce()
})

it('a response has ended when its reader goes away, and so has its source', async () => {
  const { response, onEnd, cancel } = open()
  await setImmediate()
  await response.body?.cancel('gone')
  // The read that waited ends, too.
  await setImmediate()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(cancel).toHaveBeenCalledExactlyOnceWith('gone')
})

it('a response has ended when its source breaks, and its reader gets the error', async () => {
  const { response, onEnd, controller } = open()
  const text = response.text()
  const error = new Error('broken')
  controller()?.error(error)
  await expect(text).rejects.toBe(error)
  expect(onEnd).toHaveBeenCalledOnce()
})

it('a response without a body has ended at once', async () => {
  const onEnd = vi.fn()
  const response = new Response(null, { status: 204 })
  expect(withEnd(response, onEnd)).toBe(response)
  expect(onEnd).toHaveBeenCalledOnce()
})
