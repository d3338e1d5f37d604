import type { ChannelWarning } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { createMutex } from '@sandagent/core/internal'
import { passTime } from '@sandagent/fixtures/pass-time.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { Interpreter } from '../../src/machine/interpreter.ts'
import { Decisions } from '../../src/tool/decisions.ts'
import type { ToolOperation } from '../../src/tool/operation.ts'
import { createToolRole, type ToolParts } from '../../src/tool/tool-call.ts'
import { cancelled, selected, type ToolRecord, type ToolStep } from '../../src/tool/tool-steps.ts'
import { createMemoryStorage, createPosts } from '../memory-storage.ts'

const FAILED = 'Error: User choice flow failed. Please try again.'
const request = { prompt: 'May I?', choices: ['No', 'Once', 'Always'], default: 0 }
const fresh: ToolRecord = {
  version: 1,
  token: 't',
  step: { at: 'deciding' },
  invocation: {
    operation: 'write',
    arguments: { path: 'a' },
    id: 'i',
    call_id: null,
    callback_url: 'https://agent.example/callback',
    group_id: 'g',
  } as ToolInvocation,
}

/** A call whose record is in memory. Without a step it is new. */
function start(
  step?: ToolStep,
  operation: Partial<ToolOperation> = {},
  { save, ...parts }: Partial<ToolParts> & { save?: (record: ToolRecord) => Promise<void> } = {},
) {
  const clock = createFakeClock()
  const posts = createPosts()
  const warnings: ChannelWarning[] = []
  const saved: ToolRecord[] = []
  const failures: unknown[] = []
  const perform = vi.fn<ToolOperation['perform']>(() => 'Done')
  const stored = { ...fresh, ...(step && { step }) }
  const role = createToolRole(stored, {
    operations: { write: { confirm: () => request, perform, ...operation } },
    decisions: new Decisions(createMemoryStorage()),
    responseUrl: 'https://tool.example/respond',
    fetch: posts.fetch,
    clock,
    onWarning: (warning) => warnings.push(warning),
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
    waitMs: 500_000,
    onFailure: (error) => failures.push(error),
  })
  const texts = () => posts.posted.map(({ body }) => body.text ?? body.type)
  const stepsSaved = () => saved.map((record) => record.step)
  return { call, clock, warnings, saved, stepsSaved, failures, perform, texts, statuses: posts.statuses }
}

/** Lets the time of a call run until it is over. */
const through = ({ clock }: ReturnType<typeof start>, run: Promise<void>): Promise<void> =>
  passTime(clock, 30_000, run, 0)

it('each step is stored before the next one, up to the time of the end', async () => {
  const { call, saved, stepsSaved, clock, texts } = start()
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  const until = new Date(clock.now() + 500_000).toISOString()
  expect(saved).toEqual([{ ...fresh, step: { at: 'choosing', request, until } }])
  await call.send(selected(2))
  await run
  const picked = { index: 2, label: 'Always', isRemembered: false }
  expect(stepsSaved().slice(1)).toEqual([
    { at: 'keeping', request, selected: 2 },
    { at: 'performing', picked },
    { at: 'reporting', result: 'Done' },
    { at: 'ended', endedAt: new Date(clock.now()).toISOString() },
  ])
  expect(saved.map((record) => record.selected)).toEqual([undefined, 2, 2, 2, 2])
  expect(call.call).toEqual(saved.at(-1))
  expect(clock.pending()).toBe(0)
})

it('a selection that is stored is performed, without asking again', async () => {
  const { call, perform, texts } = start({ at: 'keeping', request, selected: 1 })
  await call.run()
  const picked = { index: 1, label: 'Once', isRemembered: false }
  expect(perform).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'i' }), picked)
  expect(texts()).toEqual(['Done'])
})

it('a stored choice waits until its stored deadline', async () => {
  const { call, clock, texts } = start({ at: 'choosing', request, until: '2026-01-01T00:00:30.000Z' })
  clock.advance(Date.parse('2026-01-01T00:00:10Z') - clock.now())
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  clock.advance(19_999)
  expect(clock.pending()).toBe(1)
  clock.advance(1)
  await run
  expect(texts()).toEqual(['user_choice', FAILED])
})

it.each<[string, ToolStep, unknown]>([
  ['a result that is stored is sent', { at: 'reporting', result: 'Done' }, 'Done'],
  [
    'work that was begun is not begun again',
    { at: 'performing', picked: null },
    expect.stringContaining('interrupted'),
  ],
])('%s', async (_, step, text) => {
  const { call, perform, texts } = start(step)
  await call.run()
  expect(texts()).toEqual([text])
  expect(perform).not.toHaveBeenCalled()
})

it('a choice that reaches nobody for two minutes fails the call', async () => {
  const started = start(undefined, {}, { fetch: () => Promise.reject(new Error('offline')) })
  const { call, warnings, clock } = started
  const begun = clock.now()
  const run = call.run()
  await through(
    started,
    vi.waitFor(() => expect(call.call.step).toEqual({ at: 'reporting', result: FAILED }), { interval: 0 }),
  )
  expect(clock.now() - begun).toBeGreaterThanOrEqual(90_000)
  expect(clock.now() - begun).toBeLessThan(1_000_000)
  await call.close()
  await run
  expect(warnings).toEqual([
    {
      code: 'UNREACHABLE',
      message: 'The runtime could not be reached with the choice',
      toolCallId: 'i',
    },
  ])
  expect(clock.pending()).toBe(0)
})

it('a result that reaches nobody for a day is given up', async () => {
  const fetch = () => {
    started.clock.advance(3_600_000)
    return Promise.reject(new Error('offline'))
  }
  const started = start({ at: 'reporting', result: 'Done' }, {}, { fetch })
  const { call, warnings, clock } = started
  const begun = clock.now()
  await through(started, call.run())
  expect(clock.now() - begun).toBeGreaterThan(23 * 3_600_000)
  expect(clock.now() - begun).toBeLessThan(26 * 3_600_000)
  expect(warnings).toMatchObject([
    { code: 'UNREACHABLE', message: 'The runtime could not be reached with the result' },
  ])
  expect(call.call.step).toEqual({ at: 'ended', endedAt: new Date(clock.now()).toISOString() })
})

it('the choice is not sent any more once its selection has come', async () => {
  const { call, clock, texts, statuses } = start()
  statuses['/callback'] = 503
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  await call.send(selected(0))
  statuses['/callback'] = 200
  await run
  expect(texts()).toEqual(['user_choice', 'Done'])
  expect(clock.pending()).toBe(0)
})

it('a call that is cancelled while it decides is not performed', async () => {
  let decide = (_: null): void => {}
  const confirm = () =>
    new Promise<null>((resolve) => {
      decide = resolve
    })
  const { call, perform, texts } = start(undefined, { confirm })
  const run = call.run()
  await vi.waitFor(() => expect(call.call.step.at).toBe('deciding'))
  await call.send(cancelled)
  decide(null)
  await run
  expect(texts()).toEqual(['Error: This call was cancelled.'])
  expect(perform).not.toHaveBeenCalled()
})

it('work that succeeds although it was cancelled keeps its result', async () => {
  const { call, texts, saved } = start(undefined, {
    confirm: () => null,
    async perform({ signal }) {
      await call.send(cancelled)
      return `aborted: ${signal.aborted}`
    },
  })
  await call.run()
  expect(texts()).toEqual(['aborted: true'])
  const count = saved.length
  await call.send(cancelled)
  expect(saved).toHaveLength(count)
})

it.each([
  ['confirm', []],
  ['perform', [{ at: 'performing', picked: null }]],
] as const)('a call that closes in %s leaves no result', async (part, steps) => {
  const fails = () => {
    void call.close()
    throw new Error('stopped')
  }
  const { call, texts, warnings, stepsSaved } = start(undefined, { confirm: () => null, [part]: fails })
  await call.run()
  await call.close()
  expect([stepsSaved(), texts(), warnings]).toEqual([steps, [], []])
})

it('a call that closes while it decides does not begin', async () => {
  const { call, perform, saved } = start(undefined, {
    confirm() {
      void call.close()
      return null
    },
  })
  await call.run()
  await call.close()
  expect([perform.mock.calls, saved]).toEqual([[], []])
})

it('a call that closes while it works waits for the work, and stores its result', async () => {
  let closed: unknown
  const { call, stepsSaved, texts } = start(undefined, {
    confirm: () => null,
    async perform() {
      closed = call.close()
      await new Promise(setImmediate)
      return 'Done'
    },
  })
  await call.run()
  await closed
  expect([stepsSaved().at(-1), texts()]).toEqual([{ at: 'reporting', result: 'Done' }, []])
})

it('a call that closes while it waits is as it was', async () => {
  const { call, texts, saved, clock } = start()
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  await call.close()
  await run
  expect([saved.length, texts(), clock.pending()]).toEqual([1, ['user_choice'], 0])
})

it('a call that closes while its result is sent sends it again later', async () => {
  const { call, saved } = start(
    { at: 'reporting', result: 'Done' },
    {},
    {
      async fetch() {
        void call.close()
        throw new Error('aborted')
      },
    },
  )
  await call.run()
  await call.close()
  expect([saved, call.call.step.at]).toEqual([[], 'reporting'])
})

it('work that fails with a text is reported by the text', async () => {
  const { call, warnings, texts } = start(undefined, {
    confirm: () => null,
    perform: () => Promise.reject('broken'),
  })
  await call.run()
  expect(warnings).toEqual([{ code: 'FAILED', message: 'broken', toolCallId: 'i' }])
  expect(texts()).toEqual(['Error: The operation failed.'])
})
