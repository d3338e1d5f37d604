import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { EVENT_STREAM_HEADERS, eventStream } from '../../../src/http/stream/event-stream.ts'

const KEEP_ALIVE = ': keep-alive\n\n'

/** A stream of what a test says, until `end`. */
function streaming(options: { signal?: AbortSignal; opening?: string } = {}) {
  const clock = createFakeClock()
  const onError = vi.fn()
  const released = vi.fn()
  const queue: (string | Uint8Array | Error)[] = []
  let wake = (): void => {}
  let inner: AbortSignal | null = null
  async function* produce(signal: AbortSignal) {
    inner = signal
    signal.addEventListener('abort', () => wake())
    try {
      while (!signal.aborted) {
        const next = queue.shift()
        if (next instanceof Error) throw next
        if (next !== undefined) yield next
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      released()
    }
  }
  const stream = eventStream(produce, { clock, onError, ...options })
  const reader = stream.getReader()
  const text = async (): Promise<string | undefined> => {
    const { value } = await reader.read()
    return value && new TextDecoder().decode(value)
  }
  const say = (event: string | Uint8Array | Error): void => {
    queue.push(event)
    wake()
  }
  return { clock, onError, released, reader, text, say, isStopped: () => inner?.aborted }
}

describe('a stream of events', () => {
  it('has headers against caches, changes, delays and guesses', () => {
    expect(EVENT_STREAM_HEADERS).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    })
  })

  it('begins with its opening and a comment, and gives texts and bytes as they come', async () => {
    const { text, say } = streaming({ opening: 'retry: 1\n\n' })
    expect([await text(), await text()]).toEqual(['retry: 1\n\n', KEEP_ALIVE])
    say('data: é\n\n')
    expect(await text()).toBe('data: é\n\n')
    say(new TextEncoder().encode('data: bytes\n\n'))
    expect(await text()).toBe('data: bytes\n\n')
  })

  it('begins with the comment if it has no opening', async () => {
    expect(await streaming().text()).toBe(KEEP_ALIVE)
    expect(await streaming({ opening: '' }).text()).toBe('')
  })

  it('is kept open by a comment every 15 seconds', async () => {
    const { clock, text, say } = streaming()
    expect(await text()).toBe(KEEP_ALIVE)
    clock.advance(14_999)
    say('data: 1\n\n')
    expect(await text()).toBe('data: 1\n\n')
    clock.advance(1)
    expect(await text()).toBe(KEEP_ALIVE)
    clock.advance(30_000)
    expect([await text(), await text()]).toEqual([KEEP_ALIVE, KEEP_ALIVE])
    expect(clock.pending()).toBe(1)
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const { clock, reader, text, onError, released } = streaming({ signal: stop.signal })
    await text()
    const end = reader.read()
    stop.abort()
    expect(await end).toEqual({ done: true, value: undefined })
    expect(released).toHaveBeenCalledOnce()
    expect(clock.pending()).toBe(0)
    expect(onError).not.toHaveBeenCalled()
  })

  it('ends at once if its signal is aborted before', async () => {
    const { reader, text, clock } = streaming({ signal: AbortSignal.abort() })
    expect(await text()).toBe(KEEP_ALIVE)
    expect(await reader.read()).toEqual({ done: true, value: undefined })
    expect(clock.pending()).toBe(0)
  })

  it('breaks with the failure of its events, which the host learns', async () => {
    const stop = new AbortController()
    const remove = vi.spyOn(stop.signal, 'removeEventListener')
    const { clock, reader, text, say, onError, isStopped } = streaming({ signal: stop.signal })
    await text()
    const failure = new Error('No more')
    say(failure)
    await expect(reader.read()).rejects.toBe(failure)
    expect(onError.mock.calls).toEqual([[failure]])
    expect([clock.pending(), isStopped(), remove.mock.calls.length]).toEqual([0, true, 1])
  })

  it('releases what it holds when its reader goes while nothing comes', async () => {
    const { clock, reader, text, released, onError, isStopped } = streaming()
    await text()
    const pull = reader.read()
    await reader.cancel()
    expect(await pull).toEqual({ done: true, value: undefined })
    await vi.waitFor(() => expect(released).toHaveBeenCalledOnce())
    expect([clock.pending(), isStopped()]).toEqual([0, true])
    expect(onError).not.toHaveBeenCalled()
  })

  it('releases what it holds when its reader goes and events wait', async () => {
    const { reader, text, say, released, onError } = streaming()
    say('data: 1\n\n')
    say('data: 2\n\n')
    expect([await text(), await text()]).toEqual([KEEP_ALIVE, 'data: 1\n\n'])
    await reader.cancel()
    await vi.waitFor(() => expect(released).toHaveBeenCalledOnce())
    expect(onError).not.toHaveBeenCalled()
  })

  it('tells the host of a failure at the end, after its reader has gone', async () => {
    const clock = createFakeClock()
    const onError = vi.fn()
    const failure = new Error('It cannot be closed')
    const stream = eventStream(
      async function* () {
        try {
          for (;;) yield 'data: 1\n\n'
        } finally {
          await Promise.reject(failure)
        }
      },
      { clock, onError },
    )
    const reader = stream.getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    await vi.waitFor(() => expect(onError.mock.calls).toEqual([[failure]]))
  })
})
