import { AskError, type ChannelWarning } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { receiptsWritten } from '@sandagent/runner'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { createRuntimeCall, type RuntimeParts } from '../../src/runtime/runtime-call.ts'
import type { PendingChoice, RuntimeRecord } from '../../src/runtime/runtime-record.ts'
import { createPosts } from '../memory-storage.ts'
import { createWorkspace, picked } from '../workspace.ts'

const FAILED = { text: 'Error: User choice flow failed. Please try again.' }
const UNCERTAIN = { text: expect.stringContaining('The tool did not confirm this call') }
const fresh: RuntimeRecord = {
  version: 1,
  endpoint: 'https://tool.example/invoke',
  token: 't',
  acknowledged: false,
  invocation: { operation: 'write', arguments: {}, id: 'i', call_id: null, group_id: 'g' } as ToolInvocation,
}
const message = {
  type: 'user_choice' as const,
  group_id: 'g',
  id: 'i',
  call_id: null,
  prompt: 'May I?',
  choices: ['No', 'Once'],
  default: 0,
  response_url: 'https://tool.example/respond',
}
const done = { type: 'tool_result', group_id: 'g', id: 'i', text: 'Done' }

/** A call whose record is in memory. */
async function start(own: Partial<RuntimeRecord> = {}, parts: Partial<RuntimeParts> = {}) {
  const space = await createWorkspace()
  const clock = createFakeClock()
  const posts = createPosts()
  const warnings: ChannelWarning[] = []
  const saved: RuntimeRecord[] = []
  const call = createRuntimeCall(
    { ...fresh, ...own },
    {
      channel: space.channel,
      timeoutMs: 'never',
      refusedMs: 5000,
      fetch: posts.fetch,
      clock,
      onWarning: (warning) => warnings.push(warning),
      mayReceive: async () => true,
      save: async (record) => void saved.push(record),
      inTurn: (task) => task(),
      ...parts,
    },
  )
  call.result.catch(() => {})
  const failsIn5s = async () => {
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(4999)
    await new Promise(setImmediate)
    expect(call.record.result).toBeUndefined()
    clock.advance(1)
    return call.result
  }
  const inMs = (ms: number): string => new Date(clock.now() + ms).toISOString()
  return {
    call,
    space,
    clock,
    posts: posts.posted,
    statuses: posts.statuses,
    warnings,
    saved,
    failsIn5s,
    inMs,
  }
}

/** A failure of `fetch` before it has a connection. */
const unconnected = () =>
  Promise.reject(
    Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    }),
  )

it('an invocation that the tool takes is acknowledged, and ends with the result', async () => {
  const { call, saved, clock, inMs } = await start()
  call.dispatch()
  await vi.waitFor(() => expect(saved).toEqual([{ ...fresh, acknowledged: true }]))
  await call.take(done)
  expect(await call.result).toEqual({ text: 'Done' })
  expect(saved[1]).toEqual({ ...fresh, acknowledged: true, result: { text: 'Done' }, endedAt: inMs(0) })
  expect(call.record).toBe(saved[1])
  expect(clock.pending()).toBe(0)
})

it('an invocation that reaches no tool for a minute has a result that says so', async () => {
  const { call, clock } = await start({}, { fetch: unconnected })
  const begun = clock.now()
  call.dispatch()
  await vi.waitFor(() => {
    if (!call.record.result) clock.advance(1000)
    expect(call.record.result).toEqual({ text: 'Error: The tool could not be reached.' })
  })
  expect(clock.now() - begun).toBeGreaterThan(30_000)
})

it('an invocation that may have arrived is not sent again', async () => {
  const fetch = vi.fn(() => Promise.reject(new Error('reset')))
  const { call } = await start({}, { fetch })
  call.dispatch()
  expect(await call.result).toEqual(UNCERTAIN)
  expect(fetch).toHaveBeenCalledOnce()
})

it.each([
  ['a result', done],
  ['a choice', message],
  ['another message', { type: 'view_update', group_id: 'g' }],
])('%s shows that the invocation has arrived, whatever its HTTP request says', async (_, body) => {
  const fetch = vi.fn(async (_url: unknown, init?: RequestInit) => {
    await call.take(body)
    expect(init?.signal?.aborted).toBe(true)
    throw new Error('aborted')
  })
  const { call, saved } = await start({}, { fetch: fetch as typeof globalThis.fetch })
  call.dispatch()
  await vi.waitFor(() => expect(fetch.mock.settledResults[0]?.type).toBe('rejected'))
  await call.close()
  expect(saved).toHaveLength(1)
  expect(call.record).toMatchObject({ acknowledged: true })
})

it('a message that the runtime does not know how to show is acknowledged once', async () => {
  const { call, saved, warnings } = await start()
  await call.take({ type: 'view_update', group_id: 'g' })
  expect(warnings).toEqual([])
  await call.take({ type: 'oauth', group_id: 'g' })
  expect(saved).toEqual([{ ...fresh, acknowledged: true }])
  expect(warnings).toEqual([
    {
      code: 'IGNORED',
      message: 'The tool asks for an authorization, which nobody is shown',
      toolCallId: 'i',
    },
  ])
})

it('a refused message gives the tool a while, counted from the first one', async () => {
  const { call, clock, saved, failsIn5s, inMs } = await start({ acknowledged: true })
  const failsAt = inMs(5000)
  await expect(call.take({ ...done, group_id: 'h' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(call.take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(saved).toEqual([{ ...fresh, acknowledged: true, failsAt }])
  expect(await failsIn5s()).toEqual(FAILED)
  expect(clock.pending()).toBe(0)
})

it('a failure of this machine is no fault of the tool', async () => {
  const { call, warnings, clock } = await start(
    {},
    { save: () => Promise.reject(new AskError('INVALID_FILE', 'x')) },
  )
  await expect(call.take(done)).rejects.toMatchObject({ code: 'INVALID_FILE' })
  const broken = await start({}, { save: () => Promise.reject(new Error('broken')) })
  await expect(broken.call.take(done)).rejects.toThrow('broken')
  expect([broken.warnings, broken.clock.pending()]).toEqual([[], 0])
  expect([warnings, clock.pending()]).toEqual([[], 0])
})

it('a choice after a refused message goes on', async () => {
  const { call, clock, saved, space } = await start()
  await expect(call.take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await call.take(message)
  expect(saved.at(-1)).not.toHaveProperty('failsAt')
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  expect(await space.record('g:i')).toMatchObject({ state: 'open' })
  // While the user chooses, a refused message ends nothing.
  await expect(call.take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(clock.pending()).toBe(0)
  await call.close()
})

it('a choice may not be sent to every URL', async () => {
  const mayReceive = vi.fn(async () => false)
  const { call, warnings, failsIn5s } = await start({}, { mayReceive })
  await expect(call.take(message)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(mayReceive).toHaveBeenCalledExactlyOnceWith(message.response_url, 'https://tool.example/invoke')
  expect(warnings).toMatchObject([{ code: 'FORBIDDEN' }])
  expect(await failsIn5s()).toEqual(UNCERTAIN)
})

it('a choice that cannot be asked leaves nothing, and gives the tool a while', async () => {
  const earlier = await start()
  await earlier.call.take(message)
  await earlier.space.respond('g:i', { q1: picked('Once') })
  await vi.waitFor(() => expect(earlier.call.record.choice?.state).toBe('told'))
  await earlier.call.close()
  await receiptsWritten()
  const { call, clock, saved, failsIn5s } = await start({}, { channel: earlier.space.channel })
  clock.advance(Date.now() - clock.now() + 60_000)
  await expect(call.take(message)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(saved[0]).toMatchObject({ choice: { state: 'asked' } })
  expect(saved[1]).toEqual({ ...fresh, acknowledged: true })
  expect(await failsIn5s()).toEqual(FAILED)
})

it('a call that fails is tried again while its end cannot be stored', async () => {
  const broken = new Error('broken')
  const save = vi.fn(async () => {}).mockRejectedValueOnce(broken)
  const { call, clock, warnings, inMs } = await start({ failsAt: '2000-01-01T00:00:00.000Z' }, { save })
  call.resume()
  await vi.waitFor(() => {
    if (!call.record.result) clock.advance(100)
    expect(call.record).toMatchObject({ result: UNCERTAIN, endedAt: inMs(0) })
  })
  expect(warnings).toEqual([{ code: 'INTERNAL', message: 'broken', toolCallId: 'i' }])
})

it.each<[string, Partial<RuntimeRecord>, unknown]>([
  ['was never acknowledged', {}, UNCERTAIN],
  ['had a refused message', { acknowledged: true, failsAt: '2026-01-01T00:00:05.000Z' }, FAILED],
])('a call that %s before a restart fails after a while', async (_, own, result) => {
  const { call, failsIn5s, clock, posts } = await start(own)
  clock.advance(Date.parse('2026-01-01T00:00:00.000Z') - clock.now())
  call.resume()
  expect(await failsIn5s()).toEqual(result)
  expect(posts).toEqual([])
})

it('a call that was acknowledged before a restart waits for its result', async () => {
  const { call, clock, saved } = await start({ acknowledged: true })
  call.resume()
  await call.close()
  expect([saved, clock.pending()]).toEqual([[], 0])
})

it('a selection of before a restart is sent', async () => {
  const choice: PendingChoice = {
    message,
    receivedAt: '2026-01-01T00:00:00Z',
    state: 'selected',
    selected: 1,
  }
  const { call, posts } = await start({ acknowledged: true, choice })
  call.resume()
  await vi.waitFor(() => expect(call.record.choice?.state).toBe('told'))
  expect(posts).toEqual([{ url: message.response_url, body: { id: 'i', selected: 1 } }])
})

it('a call that had ended has its result at once, and is not withdrawn', async () => {
  const { call, saved } = await start({ result: { text: 'Before' } })
  expect(await call.result).toEqual({ text: 'Before' })
  expect(await call.resultUnless(AbortSignal.abort())).toEqual({ text: 'Before' })
  await call.close()
  expect(saved).toEqual([])
})

it('a call that is withdrawn before the tool had it ends', async () => {
  const { call } = await start()
  await expect(call.resultUnless(AbortSignal.abort('gone'))).rejects.toBe('gone')
  expect(await call.result).toEqual({ text: 'Error: This call was withdrawn.' })
})

it('a choice of a call that was withdrawn before a restart is its default', async () => {
  const { call, posts, space } = await start({ acknowledged: true, dismissed: true })
  await call.take(message)
  await vi.waitFor(() => expect(call.record.choice?.state).toBe('told'))
  expect(posts[0]?.body).toEqual({ id: 'i', selected: 0 })
  expect(await space.host.questions()).toEqual([])
})

it('a question of a call that was withdrawn before a restart is withdrawn', async () => {
  const choice: PendingChoice = { message, receivedAt: '2026-01-01T00:00:00Z', state: 'asked' }
  const { call, space } = await start({ acknowledged: true, dismissed: true, choice })
  call.resume()
  await vi.waitFor(() => expect(call.record.choice?.state).toBe('told'))
  expect(await space.record('g:i')).toMatchObject({ state: 'aborted' })
})

it('a failure in the background is a warning, and leaves the call as it is stored', async () => {
  const { call, warnings } = await start({}, { save: () => Promise.reject('broken') })
  call.dispatch()
  await vi.waitFor(() => expect(warnings).toEqual([{ code: 'INTERNAL', message: 'broken', toolCallId: 'i' }]))
  expect(call.record).toEqual(fresh)
  await call.close()
  await expect(call.result).rejects.toMatchObject({ code: 'GONE' })
})

it('closing waits for what is being stored', async () => {
  let store = (): void => {}
  const stored = new Promise<void>((resolve) => {
    store = resolve
  })
  const save = vi.fn(() => stored)
  const { call } = await start({}, { save })
  call.dispatch()
  await vi.waitFor(() => expect(save).toHaveBeenCalledOnce())
  const closed = vi.fn()
  const closing = call.close().then(closed)
  await new Promise(setImmediate)
  expect(closed).not.toHaveBeenCalled()
  store()
  await closing
  expect(call.record.acknowledged).toBe(true)
})
