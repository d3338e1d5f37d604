import { setImmediate } from 'node:timers/promises'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { type DeliveryOptions, deliver } from '../../src/lib/deliver.ts'

type Reply = number | Error | (() => Promise<Response>)

const brokenBy = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('broken'), { code }) })

/** A delivery to a receiver that replies with these, and then with the last of them for ever. */
function start(replies: Reply[], options: Partial<DeliveryOptions> = {}) {
  const clock = createFakeClock()
  const stop = new AbortController()
  const sent: { url: string; init: RequestInit; at: number }[] = []
  let troubles = 0
  const begin = clock.now()
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const reply = replies[Math.min(sent.length, replies.length - 1)] as Reply
    sent.push({ url: String(url), init, at: clock.now() - begin })
    if (typeof reply === 'function') return reply()
    if (reply instanceof Error) throw reply
    return new Response(reply === 204 ? null : 'a body', { status: reply })
  }
  const delivery = deliver(
    'https://tool.example/a',
    { answer: 1 },
    {
      fetch: fetch as typeof globalThis.fetch,
      clock,
      signal: stop.signal,
      giveUpMs: 1000,
      onTrouble: () => void troubles++,
      ...options,
    },
  )
  /** Resolves when an attempt has ended, and the pause after it has begun. */
  const pause = async (): Promise<void> => {
    let from = -1
    while (from !== sent.length || clock.pending() !== 1) {
      from = sent.length
      await setImmediate()
    }
  }
  return { clock, stop, sent, delivery, pause, troubles: () => troubles }
}

describe('a delivery', () => {
  it('posts JSON, and follows no redirect', async () => {
    const { sent, delivery, clock } = start([204])
    expect(await delivery).toEqual({ kind: 'delivered' })
    expect(sent).toMatchObject([
      {
        url: 'https://tool.example/a',
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"answer":1}',
          redirect: 'manual',
        },
      },
    ])
    expect(clock.pending()).toBe(0)
  })

  it.each([
    [200, { kind: 'delivered' }],
    [299, { kind: 'delivered' }],
    [300, { kind: 'refused', status: 300 }],
    [307, { kind: 'refused', status: 307 }],
    [404, { kind: 'refused', status: 404 }],
    [499, { kind: 'refused', status: 499 }],
  ])('is decided by the status %i', async (status, expected) => {
    const { delivery, sent, troubles } = start([status])
    expect(await delivery).toEqual(expected)
    expect([sent.length, troubles()]).toEqual([1, 0])
  })

  it('does not hold the connection of a body that nobody reads', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      cancel: () => {
        isCancelled = true
      },
    })
    await start([async () => new Response(body)]).delivery
    expect(isCancelled).toBe(true)
  })

  it('is tried again after a failure of the server and a broken connection, and tells of trouble once', async () => {
    const { clock, pause, delivery, sent, troubles } = start([500, new Error('broken'), 200])
    await pause()
    clock.advance(100)
    await pause()
    clock.advance(200)
    expect(await delivery).toEqual({ kind: 'delivered' })
    expect(sent.map(({ at }) => at)).toEqual([0, 100, 300])
    expect(troubles()).toBe(1)
  })

  it('is given up before a pause that would end too late', async () => {
    const { clock, pause, delivery, sent } = start([503], { giveUpMs: 300 })
    await pause()
    clock.advance(100)
    await pause()
    clock.advance(200)
    expect(await delivery).toEqual({ kind: 'unreachable' })
    expect(sent.map(({ at }) => at)).toEqual([0, 100, 300])
    const short = start([503], { giveUpMs: 99 })
    expect(await short.delivery).toEqual({ kind: 'unreachable' })
    expect([short.sent.length, short.troubles()]).toEqual([1, 0])
  })

  it('needs no listener for trouble', async () => {
    const { clock, pause, delivery } = start([500, 200], { onTrouble: undefined } as object)
    await pause()
    clock.advance(100)
    expect(await delivery).toEqual({ kind: 'delivered' })
  })

  it('stops before it begins, during a pause and during an attempt', async () => {
    const before = start([200], { signal: AbortSignal.abort() })
    expect([await before.delivery, before.sent.length]).toEqual([{ kind: 'stopped' }, 0])

    const pausing = start([500])
    await pausing.pause()
    pausing.stop.abort()
    expect(await pausing.delivery).toEqual({ kind: 'stopped' })
    expect(pausing.clock.pending()).toBe(0)
    expect(pausing.sent).toHaveLength(1)

    const attempting = start([() => never(attempting.sent)], { once: true })
    attempting.stop.abort()
    expect(await attempting.delivery).toEqual({ kind: 'stopped' })
    expect(attempting.clock.pending()).toBe(0)
  })

  it('breaks an attempt off after half a minute', async () => {
    const { clock, delivery, sent } = start([() => never(sent)], { once: true })
    clock.advance(29_999)
    expect(sent[0]?.init.signal?.aborted).toBe(false)
    clock.advance(1)
    expect(await delivery).toEqual({ kind: 'uncertain' })
  })
})

/** Never responds: rejects when the last request is aborted. */
const never = (sent: { init: RequestInit }[]): Promise<Response> =>
  new Promise((_, reject) => {
    const signal = sent.at(-1)?.init.signal as AbortSignal
    signal.addEventListener('abort', () => reject(signal.reason))
  })

describe('a delivery that must not arrive twice', () => {
  it.each([
    ['a failure of the server', 502, { kind: 'uncertain', status: 502 }],
    ['a connection that broke', brokenBy('ECONNRESET'), { kind: 'uncertain' }],
    ['an error without a cause', new Error('broken'), { kind: 'uncertain' }],
    ['a cause without a code', new Error('a', { cause: new Error('b') }), { kind: 'uncertain' }],
    ['a cause that is no error', new Error('a', { cause: { code: 'ECONNREFUSED' } }), { kind: 'uncertain' }],
  ])('is uncertain after %s', async (_, reply, expected) => {
    const { delivery, sent } = start([reply], { once: true })
    expect(await delivery).toEqual(expected)
    expect(sent).toHaveLength(1)
  })

  it.each([
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_CONNECT_TIMEOUT',
  ])('is tried again after %s, when no connection was made', async (code) => {
    const { clock, pause, delivery, sent } = start([brokenBy(code), 200], { once: true })
    await pause()
    clock.advance(100)
    expect(await delivery).toEqual({ kind: 'delivered' })
    expect(sent).toHaveLength(2)
  })
})
