import type { ChannelWarning } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { passTime } from '@sandagent/fixtures/pass-time.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { createDecisions } from '../../src/tool/decisions.ts'
import type { ToolOperation } from '../../src/tool/operation.ts'
import { createToolCall, type ToolParts } from '../../src/tool/tool-call.ts'
import type { ToolRecord } from '../../src/tool/tool-record.ts'
import { createMemoryStorage, createPosts } from '../memory-storage.ts'

const FAILED = 'Error: User choice flow failed. Please try again.'
const request = { prompt: 'May I?', choices: ['No', 'Once', 'Always'], default: 0 }
const fresh: ToolRecord = {
  version: 1,
  token: 't',
  begun: false,
  invocation: {
    operation: 'write',
    arguments: { path: 'a' },
    id: 'i',
    call_id: null,
    callback_url: 'https://agent.example/callback',
    group_id: 'g',
  } as ToolInvocation,
}

/** A call whose record is in memory. */
function start(
  own: Partial<ToolRecord> = {},
  operation: Partial<ToolOperation> = {},
  parts: Partial<ToolParts> = {},
) {
  const clock = createFakeClock()
  const posts = createPosts()
  const warnings: ChannelWarning[] = []
  const saved: ToolRecord[] = []
  const perform = vi.fn<ToolOperation['perform']>(() => 'Done')
  const call = createToolCall(
    { ...fresh, ...own },
    {
      operation: { confirm: () => request, perform, ...operation },
      decisions: createDecisions(createMemoryStorage()),
      responseUrl: 'https://tool.example/respond',
      timeoutMs: 500_000,
      fetch: posts.fetch,
      clock,
      onWarning: (warning) => warnings.push(warning),
      save: async (record) => void saved.push(record),
      inTurn: (task) => task(),
      ...parts,
    },
  )
  const texts = () => posts.posted.map(({ body }) => body.text ?? body.type)
  return { call, clock, warnings, saved, perform, texts, statuses: posts.statuses }
}

/** Lets the time of a call run until it is over. */
const through = ({ clock }: ReturnType<typeof start>, run: Promise<void>): Promise<void> =>
  passTime(clock, 30_000, run, 0)

it('each step is stored before the next one, up to the time of the end', async () => {
  const { call, saved, clock, texts } = start()
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  const choice = { request, deadline: new Date(clock.now() + 500_000).toISOString() }
  expect(saved).toEqual([{ ...fresh, choice }])
  await call.takeSelection(2)
  await run
  const selected = { ...fresh, choice: { ...choice, selected: 2 } }
  const done = { ...selected, begun: true, result: 'Done' }
  expect(saved.slice(1)).toEqual([
    selected,
    { ...selected, begun: true },
    done,
    { ...done, endedAt: new Date(clock.now()).toISOString() },
  ])
  expect(call.record).toEqual(saved.at(-1))
  expect(clock.pending()).toBe(0)
})

it('a selection that is stored is performed, without asking again', async () => {
  const { call, perform, texts } = start({
    choice: { request, deadline: '2026-01-01T00:00:00Z', selected: 1 },
  })
  await call.run()
  const picked = { index: 1, label: 'Once', isRemembered: false }
  expect(perform).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'i' }), picked)
  expect(texts()).toEqual(['Done'])
})

it('a stored choice waits until its stored deadline', async () => {
  const started = start({ choice: { request, deadline: '2026-01-01T00:00:30.000Z' } })
  const { call, clock, texts } = started
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

it.each([
  ['a result that is stored is sent', { begun: true, result: 'Done' }, 'Done'],
  ['work that was begun is not begun again', { begun: true }, expect.stringContaining('interrupted')],
])('%s', async (_, own, text) => {
  const { call, perform, texts } = start(own)
  await call.run()
  expect(texts()).toEqual([text])
  expect(perform).not.toHaveBeenCalled()
})

it('a choice that reaches nobody for two minutes fails the call', async () => {
  const started = start({}, {}, { fetch: () => Promise.reject(new Error('offline')) })
  const { call, warnings, clock } = started
  const begun = clock.now()
  const run = call.run()
  await through(
    started,
    vi.waitFor(() => expect(call.record.result).toBe(FAILED), { interval: 0 }),
  )
  expect(clock.now() - begun).toBeGreaterThanOrEqual(90_000)
  expect(clock.now() - begun).toBeLessThan(1_000_000)
  call.close()
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
  const started = start({ begun: true, result: 'Done' }, {}, { fetch })
  const { call, warnings, clock } = started
  const begun = clock.now()
  await through(started, call.run())
  expect(clock.now() - begun).toBeGreaterThan(23 * 3_600_000)
  expect(clock.now() - begun).toBeLessThan(26 * 3_600_000)
  expect(warnings).toMatchObject([
    { code: 'UNREACHABLE', message: 'The runtime could not be reached with the result' },
  ])
  expect(call.record.endedAt).toBe(new Date(clock.now()).toISOString())
})

it('the choice is not sent any more once its selection has come', async () => {
  const { call, clock, texts, statuses } = start()
  statuses['/callback'] = 503
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  await call.takeSelection(0)
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
  const { call, perform, texts } = start({}, { confirm })
  const run = call.run()
  await call.cancel()
  decide(null)
  await run
  expect(texts()).toEqual(['Error: This call was cancelled.'])
  expect(perform).not.toHaveBeenCalled()
})

it('work that succeeds although it was cancelled keeps its result', async () => {
  const { call, texts, saved } = start(
    {},
    {
      confirm: () => null,
      async perform({ signal }) {
        await call.cancel()
        return `aborted: ${signal.aborted}`
      },
    },
  )
  await call.run()
  expect(texts()).toEqual(['aborted: true'])
  const count = saved.length
  await call.cancel()
  expect(saved).toHaveLength(count)
})

it.each(['confirm', 'perform'] as const)('a call that closes in %s leaves no result', async (part) => {
  const fails = () => {
    call.close()
    throw new Error('stopped')
  }
  const { call, texts, warnings } = start({}, { confirm: () => null, [part]: fails })
  await call.run()
  expect([call.record.result, texts(), warnings]).toEqual([undefined, [], []])
})

it('a call that closes while it decides does not begin', async () => {
  const { call, perform, saved } = start(
    {},
    {
      confirm() {
        call.close()
        return null
      },
    },
  )
  await call.run()
  expect([perform.mock.calls, saved]).toEqual([[], []])
})

it('a call that closes while it waits is as it was', async () => {
  const { call, texts, saved, clock } = start()
  const run = call.run()
  await vi.waitFor(() => expect(texts()).toEqual(['user_choice']))
  call.close()
  await run
  expect([saved.length, texts(), clock.pending()]).toEqual([1, ['user_choice'], 0])
})

it('a call that closes while its result is sent sends it again later', async () => {
  const { call, saved } = start(
    { begun: true, result: 'Done' },
    {},
    {
      async fetch() {
        call.close()
        throw new Error('aborted')
      },
    },
  )
  await call.run()
  expect([saved, call.record.endedAt]).toEqual([[], undefined])
})

it('work that fails with a text is reported by the text', async () => {
  const { call, warnings, texts } = start(
    {},
    { confirm: () => null, perform: () => Promise.reject('broken') },
  )
  await call.run()
  expect(warnings).toEqual([{ code: 'FAILED', message: 'broken', toolCallId: 'i' }])
  expect(texts()).toEqual(['Error: The operation failed.'])
})
