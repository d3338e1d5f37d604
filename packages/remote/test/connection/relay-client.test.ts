import { setImmediate as turn } from 'node:timers/promises'
import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createRelayClient } from '../../src/connection/relay-client.ts'
import type { FromRelay, ToRelay } from '../../src/protocol/frames.ts'
import { ACKNOWLEDGE_BYTES } from '../../src/protocol/limits.ts'

interface FakeRelay {
  sent: ToRelay[]
  ended: string[]
  say(frame: FromRelay, size?: number): void
  mostBytes(): number
  lose(reason?: string): Promise<void>
}

/** A client, and the relays that it connects to. */
function connecting() {
  const clock = createFakeClock()
  const relays: FakeRelay[] = []
  const state = { failure: null as Error | null, attempts: 0, beforeOpen: async (): Promise<void> => {} }
  const client = createRelayClient({
    clock,
    async open({ onFrame, mostBytes }) {
      state.attempts++
      await state.beforeOpen()
      if (state.failure) throw state.failure
      let over = (_: string): void => {}
      const lost = new Promise<string>((resolve) => {
        over = resolve
      })
      const relay: FakeRelay = {
        sent: [],
        ended: [],
        mostBytes,
        say: (frame, size = 10) => onFrame(frame, size),
        async lose(reason = 'It fell') {
          over(reason)
          await turn()
        },
      }
      relays.push(relay)
      return {
        lost,
        send: (frame) => relay.sent.push(frame),
        end(reason) {
          relay.ended.push(reason)
          over(reason)
        },
      }
    },
  })
  onTestFinished(() => client.close())
  return { client, clock, relays, state, relay: (index = 0): FakeRelay => relays[index] as FakeRelay }
}

/** What became of a promise until now. */
function watched<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: unknown } = {}
  promise.then(
    (value) => Object.assign(seen, { value }),
    (error: unknown) => Object.assign(seen, { error }),
  )
  return seen
}

it('a request is sent with its call and arguments, and gets the value of its reply', async () => {
  const { client, relay, state } = connecting()
  const first = client.call('read', { path: 'a' })
  const second = client.call('read', { path: 'b' })
  await turn()
  expect(relay().sent).toEqual([
    { id: 1, call: 'read', args: { path: 'a' } },
    { id: 2, call: 'read', args: { path: 'b' } },
  ])
  relay().say({ id: 2, value: 'of b' })
  relay().say({ id: 1, value: null })
  expect(await Promise.all([first, second])).toEqual([null, 'of b'])
  expect(state.attempts).toBe(1)
})

it('an error of the relay rejects its request alone', async () => {
  const { client, relay } = connecting()
  const [first, second] = [client.call('read', { path: 'a' }), client.call('read', { path: 'b' })]
  await turn()
  relay().say({ id: 1, error: { code: 'UNSAFE_PATH', message: 'A link', facts: { path: 'a' } } })
  await expect(first).rejects.toMatchObject({ code: 'UNSAFE_PATH', message: 'A link', facts: { path: 'a' } })
  relay().say({ id: 2, value: 'text' })
  expect(await second).toBe('text')
})

it.each<[string, FromRelay]>([
  ['a value', { id: 1, value: 7 }],
  ['an event', { id: 1, event: 7 }],
])('%s of a wrong shape rejects its request and cancels it', async (_, frame) => {
  const { client, relay } = connecting()
  const listed = client.call('list', { directory: '.' })
  await turn()
  relay().say(frame)
  await expect(listed).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('has the version of this host'),
    cause: { code: 'INVALID_REQUEST' },
  })
  expect(relay().sent.at(-1)).toEqual({ id: 1, cancel: true })
  relay().say({ id: 1, value: null }) // It comes too late.
})

it('a request that cannot be sent rejects', async () => {
  const { client, relay } = connecting()
  client.call('read', { path: 'a' }).catch(() => {})
  await turn()
  const tooLarge = new AskError('TOO_LARGE', 'This is too long')
  vi.spyOn(relay().sent, 'push').mockImplementationOnce(() => {
    throw tooLarge
  })
  await expect(client.call('read', { path: 'b' })).rejects.toBe(tooLarge)
})

it('a request that is cancelled rejects with the reason, and the relay is told', async () => {
  const { client, relay } = connecting()
  const stop = new AbortController()
  const reason = new Error('Nobody waits')
  const remove = vi.spyOn(stop.signal, 'removeEventListener')
  const waiting = client.call('watch', { directory: '.' }, { signal: stop.signal, isWaiting: true })
  await turn()
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  expect(relay().sent.slice(1)).toEqual([{ id: 1, cancel: true }])
  expect(remove).toHaveBeenCalledOnce()
})

it('a request that was cancelled before connects to nobody', async () => {
  const { client, state } = connecting()
  const signal = AbortSignal.abort(new Error('Never mind'))
  await expect(client.call('read', { path: 'a' }, { signal })).rejects.toThrow('Never mind')
  await turn()
  expect(state.attempts).toBe(0)
})

it('a signal that aborts after the reply cancels nothing', async () => {
  const { client, relay } = connecting()
  const stop = new AbortController()
  const read = client.call('read', { path: 'a' }, { signal: stop.signal })
  await turn()
  relay().say({ id: 1, value: null })
  await read
  stop.abort()
  expect(relay().sent).toHaveLength(1)
})

it('after a loss all requests without a reply are sent again, marked as such', async () => {
  const { client, relay, relays, state } = connecting()
  const onAgain = vi.fn()
  const read = client.call('read', { path: 'a' }, { onAgain })
  const done = client.call('read', { path: 'b' })
  await turn()
  relay().say({ id: 2, value: null })
  await done
  expect(onAgain).not.toHaveBeenCalled()
  await relay().lose()
  expect(relays).toHaveLength(2)
  expect(relay(1).sent).toEqual([{ id: 1, call: 'read', args: { path: 'a' }, again: true }])
  expect(onAgain).toHaveBeenCalledOnce()
  relay(1).say({ id: 1, value: 'text' })
  expect(await read).toBe('text')
  expect(state.attempts).toBe(2)
})

it('nobody connects again while there are no requests', async () => {
  const { client, relay, state } = connecting()
  const read = client.call('read', { path: 'a' })
  await turn()
  relay().say({ id: 1, value: null })
  await read
  await relay().lose()
  expect(state.attempts).toBe(1)
  const next = client.call('read', { path: 'b' })
  await turn()
  expect(relay(1).sent).toEqual([{ id: 2, call: 'read', args: { path: 'b' } }])
  relay(1).say({ id: 2, value: 'b' })
  expect(await next).toBe('b')
})

it('a request that ends with its connection rejects with the reason of the loss', async () => {
  const { client, relay } = connecting()
  const program = watched(client.request('spawn', { command: 'x', args: [] }, { isOnce: true }).value)
  const waiting = watched(client.call('watch', { directory: '.' }, { isWaiting: true }))
  await turn()
  await relay().lose('The machine is gone')
  expect(program.error).toMatchObject({
    code: 'UNREACHABLE',
    message: 'The connection to the sandbox was lost. The machine is gone',
  })
  expect(waiting).toEqual({})
  expect(relay(1).sent).toMatchObject([{ call: 'watch', again: true }])
})

it('the first connection that fails rejects what need not wait, and the pauses grow', async () => {
  const { client, clock, state } = connecting()
  state.failure = new AskError('UNREACHABLE', 'No such host')
  const read = watched(client.call('read', { path: 'a' }))
  const watch = watched(client.call('watch', { directory: '.' }, { isWaiting: true }))
  await turn()
  expect([read, watch]).toEqual([{ error: state.failure }, {}])
  for (const [index, pauseMs] of [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000].entries()) {
    await clock.whenPending()
    clock.advance(pauseMs - 1)
    await turn()
    expect(state.attempts).toBe(index + 1)
    clock.advance(1)
    await turn()
    expect(state.attempts).toBe(index + 2)
  }
  expect(watch).toEqual({})
})

it('after a loss the first attempt comes at once, and a request waits for 30 seconds', async () => {
  const { client, clock, relay, state } = connecting()
  const read = watched(client.call('read', { path: 'a' }))
  await turn()
  state.failure = new AskError('UNREACHABLE', 'No such host')
  await relay().lose()
  await turn()
  expect(state.attempts).toBe(2)
  clock.advance(199)
  await turn()
  expect(state.attempts).toBe(2)
  clock.advance(1)
  await turn()
  expect(state.attempts).toBe(3)
  const from = clock.now() - 200
  while (clock.now() - from < 22_000) {
    expect(read).toEqual({})
    clock.advance(200)
    await turn()
  }
  clock.advance(10_000)
  await turn()
  expect(read).toEqual({ error: state.failure })
})

it('the time that a request may wait begins with the last sign of life', async () => {
  const { client, clock, relay } = connecting()
  const read = watched(client.call('read', { path: 'a' }))
  await turn()
  await relay(0).lose()
  clock.advance(29_000)
  relay(1).say({ pong: true })
  await relay(1).lose()
  clock.advance(200)
  await turn()
  clock.advance(29_000)
  expect(read).toEqual({})
  await relay(2).lose()
  expect(read).toEqual({})
  clock.advance(10_000)
  await turn()
  await relay(3).lose()
  expect(read).toMatchObject({ error: { code: 'UNREACHABLE' } })
})

it.each([
  [29_999, false],
  [30_000, true],
])('a request without a sign of life for %d milliseconds is given up: %s', async (ms, isGivenUp) => {
  const { client, clock, relay } = connecting()
  const read = watched(client.call('read', { path: 'a' }))
  await turn()
  await relay(0).lose()
  clock.advance(ms)
  await relay(1).lose()
  expect('error' in read).toBe(isGivenUp)
})

it('a request after one that failed connects at once', async () => {
  const { client, relay, state } = connecting()
  state.failure = new Error('No such host')
  await expect(client.call('read', { path: 'a' })).rejects.toBe(state.failure)
  await turn()
  state.failure = null
  const read = client.call('read', { path: 'b' })
  await turn()
  relay().say({ id: 2, value: 'text' })
  expect(await read).toBe('text')
})

it('64 requests are under way at once, besides those that wait', async () => {
  const { client, relay } = connecting()
  for (let index = 0; index < 70; index++) client.call('read', { path: `${index}` }).catch(() => {})
  client.call('watch', { directory: '.' }, { isWaiting: true }).catch(() => {})
  await turn()
  expect(relay().sent).toHaveLength(65)
  relay().say({ id: 2, value: null })
  await turn()
  expect(relay().sent).toHaveLength(66)
})

it('the relay is told how much was taken, by the connection that brought it', async () => {
  const { client, relay } = connecting()
  let take = (): void => {}
  const onEvent = (): Promise<void> => new Promise((resolve) => (take = resolve))
  client.call('list', { directory: '.' }, { onEvent }).catch(() => {})
  await turn()
  relay().say({ id: 1, event: ['name'] }, ACKNOWLEDGE_BYTES)
  take()
  await turn()
  expect(relay().sent.slice(1)).toEqual([{ id: 1, taken: ACKNOWLEDGE_BYTES }])
  relay().say({ id: 1, event: ['name'] }, ACKNOWLEDGE_BYTES)
  await relay().lose()
  take()
  await turn()
  expect(relay(1).sent).toHaveLength(1)
  relay(1).say({ id: 1, event: ['name'] }, ACKNOWLEDGE_BYTES)
  relay(1).say({ id: 1, value: null })
  take()
  await turn()
  expect(relay(1).sent).toHaveLength(1)
})

const NOT_UNDER_WAY = expect.objectContaining({
  message: expect.stringContaining('not under way'),
})
const MiB = 1024 * 1024

it('a frame of a request that was never made cannot be taken', async () => {
  const { client, relay } = connecting()
  client.call('read', { path: 'a' }).catch(() => {})
  await turn()
  expect(() => relay().say({ id: 2, event: null })).toThrow(NOT_UNDER_WAY)
})

it('what was on its way when a request was cancelled is passed over for a minute, and no more of it', async () => {
  const { client, relay, clock } = connecting()
  const watch = () => {
    const stop = new AbortController()
    client.call('watch', { directory: '.' }, { signal: stop.signal, isWaiting: true }).catch(() => {})
    return stop
  }
  const stops = [watch(), watch()]
  await turn()
  for (const stop of stops) stop.abort()
  relay().say({ id: 1, event: 'a' }, 16 * MiB)
  expect(() => relay().say({ id: 1, event: 'a' }, 1)).toThrow(NOT_UNDER_WAY)
  clock.advance(59_999)
  relay().say({ id: 2, event: 'a' })
  clock.advance(1)
  expect(() => relay().say({ id: 2, event: 'a' })).toThrow(NOT_UNDER_WAY)
})

it('a request that has its reply may say little more', async () => {
  const { client, relay } = connecting()
  const read = client.call('read', { path: 'a' })
  await turn()
  relay().say({ id: 1, value: null })
  await read
  relay().say({ id: 1, event: 'late' }, 64 * 1024)
  expect(() => relay().say({ id: 1, event: 'late' }, 1)).toThrow(NOT_UNDER_WAY)
})

it('a new connection says nothing of requests that have ended', async () => {
  const { client, relay } = connecting()
  const stop = new AbortController()
  client.call('watch', { directory: '.' }, { signal: stop.signal, isWaiting: true }).catch(() => {})
  client.call('watch', { directory: 'b' }, { isWaiting: true }).catch(() => {})
  await turn()
  stop.abort()
  await relay().lose()
  expect(() => relay(1).say({ id: 1, event: 'a' })).toThrow(NOT_UNDER_WAY)
})

it('lines are short while nothing is under way', async () => {
  const { client, relay, clock } = connecting()
  const read = client.call('read', { path: 'a' })
  await turn()
  expect(relay().mostBytes()).toBe(8 * MiB)
  relay().say({ id: 1, value: null })
  await read
  clock.advance(60_000)
  expect(relay().mostBytes()).toBe(64 * 1024)
})

it('a request has two minutes, however often the relay says that it is there', async () => {
  const { client, relay, clock } = connecting()
  const read = watched(client.call('read', { path: 'a' }))
  await turn()
  clock.advance(60_000)
  relay().say({ pong: true })
  await relay().lose()
  clock.advance(59_999)
  relay(1).say({ pong: true })
  await turn()
  expect(read).toEqual({})
  clock.advance(1)
  await turn()
  expect(read).toMatchObject({
    error: { code: 'UNREACHABLE', message: expect.stringContaining('not reply') },
  })
  expect(relay(1).sent.at(-1)).toEqual({ id: 1, cancel: true })
  expect(clock.pending()).toBe(0)
})

it('the time of a request that waits for its turn goes on', async () => {
  const { client, relay, clock } = connecting()
  const read = (path: number) => watched(client.call('read', { path: `${path}` }))
  const first = Array.from({ length: 64 }, (_, index) => read(index))
  await turn()
  const early = read(64)
  clock.advance(60_000)
  const late = read(65)
  clock.advance(60_000)
  await turn()
  for (const { error } of [...first, early]) expect(error).toMatchObject({ code: 'UNREACHABLE' })
  expect(late).toEqual({})
  const calls = relay().sent.filter((frame) => 'call' in frame)
  expect(calls).toHaveLength(65)
  clock.advance(60_000)
  await turn()
  expect(late.error).toMatchObject({ code: 'UNREACHABLE' })
})

it('what waits for something to happen may take any time, unless it says how long', async () => {
  const { client, clock } = connecting()
  const watch = watched(client.call('watch', { directory: '.' }, { isWaiting: true }))
  const begin = watched(
    client.call('begin', { token: 't', stdout: 'o' }, { isWaiting: true, timeoutMs: 600_000 }),
  )
  await turn()
  clock.advance(599_999)
  await turn()
  expect([watch, begin]).toEqual([{}, {}])
  clock.advance(1)
  await turn()
  expect([watch, begin]).toMatchObject([{}, { error: { code: 'UNREACHABLE' } }])
  expect(watch).toEqual({})
})

it('a program has two minutes to begin, and two to end once it is in a hurry', async () => {
  const { client, relay, clock } = connecting()
  const spawn = () => client.request('spawn', { command: 'x', args: [] }, { isOnce: true })
  const never = watched(spawn().value)
  const begun = spawn()
  const end = watched(begun.value)
  await turn()
  relay().say({ id: 2, event: { pid: 1 } })
  clock.advance(120_000)
  await turn()
  expect(never.error).toMatchObject({ code: 'UNREACHABLE' })
  clock.advance(3_600_000)
  await turn()
  expect(end).toEqual({})
  begun.hurry()
  clock.advance(120_000)
  await turn()
  expect(end.error).toMatchObject({ code: 'UNREACHABLE' })
})

it('connections that are lost after events alone come with growing pauses, until one lasts', async () => {
  const { client, relay, clock, state } = connecting()
  client.call('watch', { directory: '.' }, { isWaiting: true }).catch(() => {})
  await turn()
  const loseNext = async (): Promise<void> => {
    const last = relay(state.attempts - 1)
    last.say({ id: 1, event: 'a' })
    await last.lose()
  }
  await loseNext()
  expect(state.attempts).toBe(2)
  for (const [index, pauseMs] of [200, 400, 800].entries()) {
    await loseNext()
    clock.advance(pauseMs - 1)
    await turn()
    expect(state.attempts).toBe(index + 2)
    clock.advance(1)
    await turn()
    expect(state.attempts).toBe(index + 3)
  }
  clock.advance(60_001)
  await loseNext()
  expect(state.attempts).toBe(6)
})

it('inputs follow a request until its reply', async () => {
  const { client, relay } = connecting()
  const { value, send } = client.request('spawn', { command: 'x', args: [] })
  await turn()
  send({ end: true })
  relay().say({ id: 1, value: { exitCode: 0, signal: null } })
  expect(await value).toEqual({ exitCode: 0, signal: null })
  send({ kill: true })
  expect(relay().sent.slice(1)).toEqual([{ id: 1, input: { end: true } }])
})

it('a client that pauses ends its connection, and requests wait until it resumes', async () => {
  const { client, relay, state } = connecting()
  const read = watched(client.call('read', { path: 'a' }))
  await turn()
  client.pause()
  await turn()
  expect(relay().ended).toEqual(['The connection was paused'])
  const late = watched(client.call('read', { path: 'b' }))
  await turn()
  expect([state.attempts, read, late]).toEqual([1, {}, {}])
  client.resume()
  await turn()
  expect(relay(1).sent).toEqual([
    { id: 1, call: 'read', args: { path: 'a' }, again: true },
    { id: 2, call: 'read', args: { path: 'b' } },
  ])
})

it.each(['pause', 'close'] as const)('a connection that comes after %s is ended', async (name) => {
  const { client, relay, state } = connecting()
  let go = (): void => {}
  state.beforeOpen = () => new Promise((resolve) => (go = resolve))
  const read = watched(client.call('watch', { directory: '.' }, { isWaiting: true }))
  client[name]()
  go()
  await turn()
  expect(relay().ended).toHaveLength(1)
  expect(state.attempts).toBe(1)
  expect('error' in read).toBe(name === 'close')
})

it('a client that was closed rejects all requests, also later ones', async () => {
  const { client, relay, state, clock } = connecting()
  const requests = [
    client.call('read', { path: 'a' }),
    client.call('watch', { directory: '.' }, { isWaiting: true }),
  ].map(watched<unknown>)
  await turn()
  client.close()
  requests.push(watched(client.call('read', { path: 'b' })))
  await turn()
  for (const { error } of requests)
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('closed by close()'),
    })
  await turn()
  expect(relay().ended).toEqual(['This sandbox was closed'])
  expect([state.attempts, clock.pending()]).toEqual([1, 0])
})

it('this process stays for requests, and not for those that wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { client, relay } = connecting()
  client.call('watch', { directory: '.' }, { isWaiting: true }).catch(() => {})
  await turn()
  expect(vi.getTimerCount()).toBe(0)
  const read = client.call('read', { path: 'a' })
  await turn()
  expect(vi.getTimerCount()).toBe(1)
  relay().say({ id: 2, value: null })
  await read
  expect(vi.getTimerCount()).toBe(0)
})

it('a client that is closed during a pause connects to nobody', async () => {
  const { client, state, clock } = connecting()
  state.failure = new Error('No such host')
  const watch = watched(client.call('watch', { directory: '.' }, { isWaiting: true }))
  await clock.whenPending()
  client.close()
  await turn()
  expect(watch).toMatchObject({ error: { code: 'UNREACHABLE' } })
  expect([state.attempts, clock.pending()]).toEqual([1, 0])
})
