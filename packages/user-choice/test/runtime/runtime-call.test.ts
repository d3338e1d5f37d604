import { AskError, type ChannelWarning } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { createMutex } from '@sandagent/core/internal'
import { receiptsWritten } from '@sandagent/runner'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Interpreter } from '../../src/machine/interpreter.ts'
import { createRuntimeRole, type RuntimeParts } from '../../src/runtime/runtime-call.ts'
import { dismissed, type RuntimeRecord, type RuntimeStep } from '../../src/runtime/runtime-steps.ts'
import { createPosts } from '../memory-storage.ts'
import { createWorkspace, picked } from '../workspace.ts'

const FAILED = { text: 'Error: User choice flow failed. Please try again.' }
const UNCERTAIN = { text: expect.stringContaining('The tool did not confirm this call') }
const fresh: RuntimeRecord = {
  version: 1,
  endpoint: 'https://tool.example/invoke',
  token: 't',
  step: { at: 'sending' },
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
const asking: RuntimeStep = { at: 'asking', message, receivedAt: '2026-01-01T00:00:00.000Z' }
const done = { type: 'tool_result', group_id: 'g', id: 'i', text: 'Done' }

/** A call whose record is in memory. Without a step it is new. */
async function start(
  step?: RuntimeStep,
  {
    save,
    isDismissed = false,
    ...parts
  }: Partial<RuntimeParts> & { save?: (record: RuntimeRecord) => Promise<void>; isDismissed?: boolean } = {},
) {
  const space = await createWorkspace()
  const clock = createFakeClock()
  const posts = createPosts()
  const warnings: ChannelWarning[] = []
  const saved: RuntimeRecord[] = []
  const failures: unknown[] = []
  const stored = { ...fresh, ...(step && { step }), ...(isDismissed && { dismissed: true }) }
  const role = createRuntimeRole(stored, {
    channel: space.channel,
    timeoutMs: 'never',
    fetch: posts.fetch,
    clock,
    onWarning: (warning) => warnings.push(warning),
    mayReceive: async () => true,
    ...parts,
  })
  const inTurn = createMutex()
  const call = new Interpreter(stored, !step, role, {
    async save(record) {
      await save?.(record)
      saved.push(record)
    },
    inTurn: (task) => inTurn('i', task),
    clock,
    waitMs: 5000,
    onFailure: (error) => failures.push(error),
  })
  onTestFinished(() => call.close())
  const failsIn5s = async () => {
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(4999)
    await new Promise(setImmediate)
    expect(call.call.step.at).not.toBe('ended')
    clock.advance(1)
    return role.result
  }
  return {
    call,
    role,
    run: () => call.run(),
    take: (body: unknown) => role.receive(body, (move) => call.send(move)),
    stepsSaved: () => saved.map((record) => record.step),
    space,
    clock,
    posts: posts.posted,
    statuses: posts.statuses,
    warnings,
    failures,
    saved,
    failsIn5s,
    inMs: (ms: number): string => new Date(clock.now() + ms).toISOString(),
  }
}

/** A failure of `fetch` before it has a connection. */
const unconnected = () =>
  Promise.reject(
    Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    }),
  )

it('an invocation that the tool takes waits, and ends with the result', async () => {
  const { call, role, run, take, saved, clock, inMs } = await start()
  const running = run()
  await vi.waitFor(() => expect(saved).toEqual([{ ...fresh, step: { at: 'waiting' } }]))
  await take(done)
  await running
  expect(await role.result).toEqual({ text: 'Done' })
  expect(saved[1]).toEqual({ ...fresh, step: { at: 'ended', result: { text: 'Done' }, endedAt: inMs(0) } })
  expect(call.call).toBe(saved[1])
  expect(clock.pending()).toBe(0)
})

it('an invocation that reaches no tool for a minute has a result that says so', async () => {
  const { call, role, run, clock } = await start(undefined, { fetch: unconnected })
  const begun = clock.now()
  void run()
  await vi.waitFor(() => {
    if (call.call.step.at !== 'ended') clock.advance(1000)
    expect(call.call.step.at).toBe('ended')
  })
  expect(await role.result).toEqual({ text: 'Error: The tool could not be reached.' })
  expect(clock.now() - begun).toBeGreaterThan(30_000)
})

it('an invocation that may have arrived is not sent again', async () => {
  const fetch = vi.fn(() => Promise.reject(new Error('reset')))
  const { role, run } = await start(undefined, { fetch })
  void run()
  expect(await role.result).toEqual(UNCERTAIN)
  expect(fetch).toHaveBeenCalledOnce()
})

it.each<[string, unknown, string]>([
  ['a result', done, 'ended'],
  ['a choice', message, 'asking'],
  ['another message', { type: 'view_update', group_id: 'g' }, 'waiting'],
])('%s shows that the invocation has arrived, whatever its HTTP request says', async (_, body, at) => {
  const fetch = vi.fn(async (_url: unknown, init?: RequestInit) => {
    await take(body)
    expect(init?.signal?.aborted).toBe(true)
    throw new Error('aborted')
  })
  const { call, run, take, saved } = await start(undefined, { fetch: fetch as typeof globalThis.fetch })
  void run()
  await vi.waitFor(() => expect(fetch.mock.settledResults[0]?.type).toBe('rejected'))
  await call.close()
  expect(saved).toHaveLength(1)
  expect(call.call.step.at).toBe(at)
})

it('a message that the runtime does not know how to show is acknowledged once', async () => {
  const { take, saved, warnings } = await start()
  await take({ type: 'view_update', group_id: 'g' })
  expect(warnings).toEqual([])
  await take({ type: 'oauth', group_id: 'g' })
  expect(saved).toEqual([{ ...fresh, step: { at: 'waiting' } }])
  expect(warnings).toEqual([
    {
      code: 'IGNORED',
      message: 'The tool asks for an authorization, which nobody is shown',
      toolCallId: 'i',
    },
  ])
})

it('a refused message gives the tool a while, counted from the first one', async () => {
  const { run, take, clock, saved, failsIn5s, inMs } = await start({ at: 'waiting' })
  void run()
  const until = inMs(5000)
  await expect(take({ ...done, group_id: 'h' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(saved).toEqual([{ ...fresh, step: { at: 'waiting', until } }])
  expect(await failsIn5s()).toEqual(FAILED)
  expect(clock.pending()).toBe(0)
})

it.each([new AskError('INVALID_FILE', 'x'), new Error('broken')])(
  'a failure of this machine is no fault of the tool: %s',
  async (error) => {
    const { take, warnings, clock, call } = await start(
      { at: 'waiting' },
      { save: () => Promise.reject(error) },
    )
    await expect(take(done)).rejects.toBe(error)
    expect([warnings, clock.pending(), call.call.step]).toEqual([[], 0, { at: 'waiting' }])
  },
)

it('a choice after a refused message goes on', async () => {
  const { call, run, take, clock, saved, space } = await start({ at: 'waiting' })
  void run()
  await expect(take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await take(message)
  expect(saved.at(-1)?.step).not.toHaveProperty('until')
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  expect(await space.record('g:i')).toMatchObject({ state: 'open' })
  // While the user chooses, a refused message ends nothing.
  await expect(take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect([clock.pending(), call.call.step.at]).toEqual([0, 'asking'])
})

it('a choice may not be sent to every URL', async () => {
  const mayReceive = vi.fn(async () => false)
  const never = (_url: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) => init?.signal?.addEventListener('abort', reject))
  const { run, take, warnings, call, inMs } = await start(undefined, { mayReceive, fetch: never })
  void run()
  await expect(take(message)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(mayReceive).toHaveBeenCalledExactlyOnceWith(message.response_url, 'https://tool.example/invoke')
  expect(warnings).toMatchObject([{ code: 'FORBIDDEN' }])
  expect(call.call.step).toEqual({ at: 'sending', until: inMs(5000) })
})

it('a choice that cannot be asked leaves nothing, and gives the tool a while', async () => {
  const earlier = await start({ at: 'waiting' })
  void earlier.run()
  await earlier.take(message)
  await earlier.space.respond('g:i', { q1: picked('Once') })
  await vi.waitFor(() => expect(earlier.call.call.step.at).toBe('told'))
  await earlier.call.close()
  await receiptsWritten()
  const { run, take, clock, stepsSaved, failsIn5s, inMs, warnings } = await start(
    { at: 'waiting' },
    { channel: earlier.space.channel },
  )
  clock.advance(Date.now() - clock.now() + 60_000)
  void run()
  await expect(take(message)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(stepsSaved()).toEqual([
    { at: 'asking', message, receivedAt: inMs(0) },
    { at: 'waiting', until: inMs(5000) },
  ])
  expect(warnings).toMatchObject([{ code: 'CONFLICT' }])
  expect(await failsIn5s()).toEqual(FAILED)
})

it('a choice that cannot be asked just now leaves nothing, and may come again', async () => {
  const space = await createWorkspace()
  const open = vi.fn(space.channel.open).mockRejectedValueOnce(new Error('disk full'))
  const { run, take, stepsSaved, warnings } = await start(
    { at: 'waiting' },
    { channel: { ...space.channel, open } },
  )
  void run()
  await expect(take(message)).rejects.toThrow('disk full')
  expect(stepsSaved().at(-1)).toEqual({ at: 'waiting' })
  await take(message)
  expect([stepsSaved().at(-1)?.at, warnings]).toEqual(['asking', []])
})

it('a call that fails is tried again while its end cannot be stored', async () => {
  const broken = new Error('broken')
  const save = vi.fn(async () => {}).mockRejectedValueOnce(broken)
  const { call, run, clock, failures } = await start(
    { at: 'unsure', until: '2000-01-01T00:00:00.000Z' },
    { save },
  )
  void run()
  await vi.waitFor(() => {
    if (call.call.step.at !== 'ended') clock.advance(100)
    expect(call.call.step).toMatchObject({ at: 'ended', result: UNCERTAIN })
  })
  expect(failures).toEqual([broken])
})

it.each<[string, RuntimeStep, unknown]>([
  ['was never acknowledged', { at: 'sending' }, UNCERTAIN],
  ['had a refused message', { at: 'waiting', until: '2026-01-01T00:00:05.000Z' }, FAILED],
])('a call that %s before a restart fails after a while', async (_, step, result) => {
  const { run, failsIn5s, posts } = await start(step)
  void run()
  expect(await failsIn5s()).toEqual(result)
  expect(posts).toEqual([])
})

it('a call that was acknowledged before a restart waits for its result', async () => {
  const { call, run, clock, saved } = await start({ at: 'waiting' })
  void run()
  await call.close()
  expect([saved, clock.pending()]).toEqual([[], 0])
})

it('a choice is asked, then stored, then sent', async () => {
  const { run, take, stepsSaved, posts, space } = await start({ at: 'waiting' })
  const open = vi.spyOn(space.channel, 'open')
  void run()
  await take(message)
  await space.respond('g:i', { q1: picked('Once') })
  await vi.waitFor(() =>
    expect(stepsSaved()).toEqual([
      { at: 'asking', message, receivedAt: expect.any(String) },
      { at: 'telling', message, selected: 1 },
      { at: 'told', message },
    ]),
  )
  expect(open).toHaveBeenCalledOnce()
  expect(posts).toEqual([{ url: message.response_url, body: { id: 'i', selected: 1 } }])
})

it('a choice that was asked before a restart is asked on', async () => {
  const { run, call, posts, space } = await start(asking)
  void run()
  await vi.waitFor(() => space.record('g:i'))
  await space.respond('g:i', { q1: picked('Once') })
  await vi.waitFor(() => expect(call.call.step).toEqual({ at: 'told', message }))
  expect(posts).toMatchObject([{ body: { selected: 1 } }])
})

it('a selection of before a restart is sent, and nobody is asked', async () => {
  const { call, run, posts, space } = await start({ at: 'telling', message, selected: 1 })
  void run()
  await vi.waitFor(() => expect(call.call.step.at).toBe('told'))
  expect(posts).toEqual([{ url: message.response_url, body: { id: 'i', selected: 1 } }])
  expect(await space.host.questions()).toEqual([])
})

it('a selection that the tool has is not sent again', async () => {
  const { call, run, posts, saved } = await start({ at: 'told', message })
  void run()
  await call.close()
  expect([posts, saved]).toEqual([[], []])
})

it('a choice that was made, and whose receipt is not written yet, goes on at once', async () => {
  const earlier = await start(asking)
  vi.spyOn(earlier.space.channel, 'settle').mockRejectedValueOnce(new AskError('UNREACHABLE', 'offline'))
  void earlier.run()
  await vi.waitFor(() => earlier.space.record('g:i'))
  await earlier.space.respond('g:i', { q1: picked('Once') })
  await vi.waitFor(() => expect(earlier.call.call.step.at).toBe('told'))
  const { run, take, call } = await start({ at: 'waiting' }, { channel: earlier.space.channel })
  void run()
  await take(message)
  await vi.waitFor(() => expect(call.call.step.at).toBe('told'))
  earlier.clock.advance(100)
})

it('a result that comes while the user chooses withdraws the question, and nothing is sent', async () => {
  const { run, take, role, posts, space, stepsSaved } = await start({ at: 'waiting' })
  const running = run()
  await take(message)
  await take(done)
  expect(await role.result).toEqual({ text: 'Done' })
  await running
  expect(await space.record('g:i')).toMatchObject({ state: 'aborted' })
  expect([stepsSaved().map(({ at }) => at), posts]).toEqual([['asking', 'asking', 'ended'], []])
})

it('a question whose result came before a restart is withdrawn', async () => {
  const { run, role, space } = await start({ ...asking, result: { text: 'Before' } })
  expect(await role.result).toEqual({ text: 'Before' })
  await run()
  expect(await space.record('g:i')).toMatchObject({ state: 'aborted' })
})

it('a choice waits for the next process when this one closes', async () => {
  const { run, take, call, space, stepsSaved } = await start({ at: 'waiting' })
  void run()
  await take(message)
  await call.close()
  expect(stepsSaved().map(({ at }) => at)).toEqual(['asking'])
  expect(await space.record('g:i')).toMatchObject({ state: 'open' })
})

it('a selection stays where it is when the runtime closes', async () => {
  const { run, call, posts, statuses, saved, clock } = await start({ at: 'telling', message, selected: 1 })
  statuses['/respond'] = 503
  void run()
  await vi.waitFor(() => expect(posts).toHaveLength(1))
  await call.close()
  expect([saved, clock.pending()]).toEqual([[], 0])
})

it('a selection that the tool refuses is a warning, and gives the tool a while', async () => {
  const { run, stepsSaved, statuses, warnings, inMs } = await start({ at: 'telling', message, selected: 1 })
  statuses['/respond'] = 410
  void run()
  await vi.waitFor(() => expect(stepsSaved()).toEqual([{ at: 'told', message, until: inMs(5000) }]))
  expect(warnings).toEqual([
    { code: 'REFUSED', message: "The tool refused the user's selection (HTTP 410)", toolCallId: 'i' },
  ])
})

it('a selection that does not get through at first is a warning', async () => {
  const { run, call, posts, statuses, warnings, clock } = await start({ at: 'telling', message, selected: 1 })
  statuses['/respond'] = 503
  void run()
  await vi.waitFor(() => expect(warnings).toHaveLength(1))
  expect(warnings).toEqual([
    { code: 'UNREACHABLE', message: 'The tool does not take the selection yet', toolCallId: 'i' },
  ])
  statuses['/respond'] = 200
  clock.advance(100)
  await vi.waitFor(() => expect(call.call.step.at).toBe('told'))
  expect(posts).toHaveLength(2)
})

it('a selection that cannot be stored is tried again, and a question that failed is asked again', async () => {
  const broken = new Error('broken')
  const save = vi.fn(async () => {}).mockRejectedValueOnce(broken)
  const { run, call, space, clock, failures } = await start(asking, { save })
  void run()
  await vi.waitFor(() => space.record('g:i'))
  await space.respond('g:i', { q1: picked('Once') })
  await vi.waitFor(() => expect(failures).toEqual([broken]))
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  clock.advance(100)
  await vi.waitFor(() => expect(call.call.step).toEqual({ at: 'told', message }))
  await receiptsWritten()
  expect(await space.record('g:i')).toMatchObject({ state: 'answered' })
})

it('a failure is not tried again when the runtime closes', async () => {
  const broken = new Error('broken')
  const step: RuntimeStep = { at: 'telling', message, selected: 1 }
  const { run, call, posts, failures, clock } = await start(step, { save: () => Promise.reject(broken) })
  const running = run()
  await vi.waitFor(() => expect(failures).toEqual([broken]))
  await call.close()
  await running
  expect([posts.length, clock.pending()]).toEqual([1, 0])
})

it('a call that had ended has its result at once, and is not withdrawn', async () => {
  const result = { text: 'Before' }
  const { call, role, saved } = await start({ at: 'ended', result, endedAt: '2026-01-01T00:00:00.000Z' })
  expect(await role.result).toEqual(result)
  expect(await role.resultUnless(AbortSignal.abort(), () => {})).toEqual(result)
  await call.send(dismissed)
  expect(saved).toEqual([])
})

it('a call that is withdrawn before the tool had it ends', async () => {
  const { call, role } = await start()
  await call.send(dismissed)
  expect(await role.result).toEqual({ text: 'Error: This call was withdrawn.' })
})

it('a choice of a call that was withdrawn before a restart is its default', async () => {
  const { call, run, take, posts, space } = await start({ at: 'waiting' }, { isDismissed: true })
  void run()
  await take(message)
  await vi.waitFor(() => expect(call.call.step.at).toBe('told'))
  expect(posts[0]?.body).toEqual({ id: 'i', selected: 0 })
  expect(await space.host.questions()).toEqual([])
})

it('a question of a call that was withdrawn before a restart is withdrawn', async () => {
  const { call, run, space } = await start(asking, { isDismissed: true })
  void run()
  await vi.waitFor(() => expect(call.call.step.at).toBe('told'))
  expect(await space.record('g:i')).toMatchObject({ state: 'aborted' })
})

it('a failure in the background leaves the call as it is stored', async () => {
  const { call, role, run, failures } = await start(undefined, { save: () => Promise.reject('broken') })
  void run()
  await vi.waitFor(() => expect(failures).toEqual(['broken']))
  expect(call.call).toEqual(fresh)
  await call.close()
  await expect(role.result).rejects.toMatchObject({ code: 'GONE' })
})

it('an invocation that was sent and not noted is not sent again, whatever comes in the pause', async () => {
  const save = vi.fn(async () => {}).mockRejectedValueOnce(new Error('broken'))
  const { run, take, posts, failures, call, inMs } = await start(undefined, { save })
  void run()
  await vi.waitFor(() => expect(failures).toHaveLength(1))
  await expect(take({ ...done, id: 'j' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await new Promise(setImmediate)
  expect(call.call.step).toEqual({ at: 'unsure', until: inMs(5000) })
  expect(posts).toHaveLength(1)
})

it('closing waits for what is being stored', async () => {
  let store = (): void => {}
  const stored = new Promise<void>((resolve) => {
    store = resolve
  })
  const save = vi.fn(() => stored)
  const { call, run } = await start(undefined, { save })
  void run()
  await vi.waitFor(() => expect(save).toHaveBeenCalledOnce())
  const closed = vi.fn()
  const closing = call.close().then(closed)
  await new Promise(setImmediate)
  expect(closed).not.toHaveBeenCalled()
  store()
  await closing
  expect(call.call.step).toEqual({ at: 'waiting' })
})
