import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { stoppable } from '../../../src/lib/streams/stoppable.ts'
import { createWakeSignal } from '../../../src/lib/streams/wake-signal.ts'

/** Counts to 2, then waits for ever. */
function counting(released: () => void, signal: AbortSignal): AsyncIterable<number> {
  return stoppable(signal, async function* (stopped) {
    const wakeSignal = createWakeSignal(stopped)
    try {
      yield 1
      yield 2
      await wakeSignal.sleep()
    } finally {
      released()
    }
  })
}

describe('stoppable', () => {
  it('ends when the signal aborts while it waits', async () => {
    const stop = new AbortController()
    const released = vi.fn()
    const seen: number[] = []
    for await (const n of counting(released, stop.signal)) {
      seen.push(n)
      if (n === 2) queueMicrotask(() => stop.abort())
    }
    expect(seen).toEqual([1, 2])
    expect(released).toHaveBeenCalledOnce()
  })

  it('ends when the consumer breaks out', async () => {
    const stop = new AbortController()
    const released = vi.fn()
    for await (const _ of counting(released, stop.signal)) break
    expect(released).toHaveBeenCalledOnce()
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  it('ends when it is returned while a value is awaited', async () => {
    const stop = new AbortController()
    const released = vi.fn()
    const values = counting(released, stop.signal)[Symbol.asyncIterator]()
    await values.next()
    await values.next()
    const awaited = values.next()
    await values.return?.()
    expect(await awaited).toEqual({ done: true, value: undefined })
    expect(released).toHaveBeenCalledOnce()
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  it('yields nothing and acquires nothing when the signal aborted before', async () => {
    const released = vi.fn()
    for await (const _ of counting(released, AbortSignal.abort())) expect.unreachable()
    expect(released).not.toHaveBeenCalled()
  })
})

describe('createWakeSignal', () => {
  it('keeps a ring that came while nobody slept', async () => {
    const wakeSignal = createWakeSignal(new AbortController().signal)
    wakeSignal.ring()
    wakeSignal.ring()
    await wakeSignal.sleep()
    const woken = vi.fn()
    void wakeSignal.sleep().then(woken)
    await Promise.resolve()
    expect(woken).not.toHaveBeenCalled()
    wakeSignal.ring()
    await vi.waitFor(() => expect(woken).toHaveBeenCalledOnce())
  })
})

describe('a generator that fails', () => {
  it('takes with it what it has started', async () => {
    const outer = new AbortController()
    let inner: AbortSignal | undefined
    const values = stoppable(outer.signal, async function* (stopped) {
      inner = stopped
      yield 1
      throw new Error('broken')
    })
    const read = async (): Promise<void> => {
      for await (const _ of values);
    }
    await expect(read()).rejects.toThrow('broken')
    expect(inner?.aborted).toBe(true)
  })
})
