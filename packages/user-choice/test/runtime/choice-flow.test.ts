import { AskError } from '@sandagent/core'
import type { ToolInvocation, UserChoiceMessage } from '@sandagent/core/dialects/user-choice'
import { receiptsWritten } from '@sandagent/runner'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import type { Delivery } from '../../src/lib/deliver.ts'
import { type ChoosingCall, createChoiceFlow } from '../../src/runtime/choice-flow.ts'
import type { PendingChoice, RuntimeRecord } from '../../src/runtime/runtime-record.ts'
import { createWorkspace, picked } from '../workspace.ts'

const QUESTION = 'g:i'
const invocation = { operation: 'write', arguments: {}, id: 'i', group_id: 'g' } as unknown as ToolInvocation
const message: UserChoiceMessage = {
  type: 'user_choice',
  group_id: 'g',
  id: 'i',
  call_id: null,
  prompt: 'May I?',
  choices: ['No', 'Once', 'Always'],
  default: 1,
  response_url: 'https://tool.example/respond',
}
const asked = { message, receivedAt: '2026-01-01T00:00:00.000Z', state: 'asked' } as PendingChoice
const selected = { ...asked, state: 'selected', selected: 2 } as PendingChoice
const told = { message, receivedAt: asked.receivedAt, state: 'told' } as PendingChoice

/** A flow whose call keeps its record in memory. `steps` is what it did, in order. */
async function start(choice: PendingChoice, changed: Partial<ChoosingCall> = {}) {
  const space = await createWorkspace()
  const clock = createFakeClock()
  const steps: unknown[] = []
  const work: Promise<void>[] = []
  const aborts = {
    ended: new AbortController(),
    dismissed: new AbortController(),
    closing: new AbortController(),
  }
  const state = {
    record: {
      version: 1,
      endpoint: 'e',
      invocation,
      token: 't',
      acknowledged: true,
      choice,
    } as RuntimeRecord,
    delivery: { kind: 'delivered' } as Delivery,
  }
  const send = vi.fn<ChoosingCall['send']>(async () => state.delivery)
  const call: ChoosingCall = {
    invocation,
    channel: space.channel,
    timeoutMs: 'never',
    clock,
    onWarning: (warning) => steps.push(warning),
    ended: aborts.ended.signal,
    dismissed: aborts.dismissed.signal,
    closing: aborts.closing.signal,
    record: () => state.record,
    async save(record) {
      steps.push(record.choice)
      state.record = record
    },
    send,
    warn: (code, text) => steps.push([code, text]),
    onFailure: (error) => steps.push(error),
    async inTurn(task) {
      steps.push('in turn')
      return task()
    },
    inBackground: (task) => work.push(task),
    failLater: async () => void steps.push('fails later'),
    ...changed,
  }
  const flow = createChoiceFlow(call)
  const choose = (label: string) => space.respond(QUESTION, { q1: picked(label) })
  const over = async () => {
    await Promise.all(work)
    await receiptsWritten()
  }
  return { ...aborts, flow, space, clock, steps, state, send, choose, over, work }
}

it('a choice is asked, then stored, then sent', async () => {
  const { flow, space, steps, state, send, choose, over, ended } = await start(asked)
  const open = vi.spyOn(space.channel, 'open')
  await flow.begin(asked)
  expect(steps).toEqual([])
  await choose('Always')
  await over()
  expect(steps).toEqual(['in turn', selected, 'in turn', told])
  expect(state.record).toMatchObject({ token: 't', acknowledged: true, choice: told })
  expect(open).toHaveBeenCalledOnce()
  expect(send).toHaveBeenCalledExactlyOnceWith(
    'https://tool.example/respond',
    { id: 'i', selected: 2 },
    ended.signal,
    { onTrouble: expect.any(Function) },
  )
})

it('a choice that was asked before is asked on, a selection is sent, and nothing follows', async () => {
  const before = await start(asked)
  before.flow.proceed(asked)
  await vi.waitFor(() => before.space.record(QUESTION))
  await before.choose('Always')
  await before.over()
  expect(before.state.record.choice).toEqual(told)

  const stored = await start(selected)
  stored.flow.proceed(selected)
  await stored.over()
  expect(stored.steps).toEqual(['in turn', told])
  expect(await stored.space.host.questions()).toEqual([])

  const sent = await start(told)
  sent.flow.proceed(told)
  await sent.over()
  expect([sent.steps, sent.send.mock.calls]).toEqual([[], []])
})

it('a choice under the id of an earlier one is refused, and leads to nothing', async () => {
  const { flow, choose, over, steps, work } = await start(asked)
  await flow.begin(asked)
  await choose('Always')
  await over()
  steps.length = work.length = 0
  const later = { ...asked, receivedAt: '2999-01-01T00:00:00.000Z' }
  await expect(flow.begin(later)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect([steps, work]).toEqual([[], []])
})

it('a choice that was made, and whose receipt is not written yet, goes on at once', async () => {
  const { flow, space, state, choose, over, clock } = await start(asked)
  vi.spyOn(space.channel, 'settle').mockRejectedValueOnce(new AskError('UNREACHABLE', 'offline'))
  await flow.begin(asked)
  await choose('Always')
  await vi.waitFor(() => expect(state.record.choice).toEqual(told))
  state.record = { ...state.record, choice: asked }
  await flow.begin(asked)
  await vi.waitFor(() => expect(state.record.choice).toEqual(told))
  clock.advance(100)
  await over()
})

it('a choice of a call that has its result is neither stored nor sent', async () => {
  const { flow, steps, state, send, choose, over } = await start(asked)
  await flow.begin(asked)
  state.record = { ...state.record, result: { text: 'Done' } }
  await choose('Always')
  await over()
  expect([steps, send.mock.calls]).toEqual([['in turn'], []])
})

it('a choice waits for the next process when this one closes', async () => {
  const { flow, steps, closing, space, over } = await start(asked)
  await flow.begin(asked)
  closing.abort()
  await over()
  expect(steps).toEqual(['in turn'])
  expect(await space.record(QUESTION)).toMatchObject({ state: 'open' })
})

it('a choice that nobody waits for takes its default', async () => {
  const { flow, steps, dismissed, over } = await start(asked)
  await flow.begin(asked)
  dismissed.abort()
  await over()
  expect(steps).toEqual(['in turn', { ...selected, selected: 1 }, 'in turn', told])
})

it('a selection stays where it is when sending stops', async () => {
  const { flow, steps, state, over } = await start(selected)
  state.delivery = { kind: 'stopped' }
  flow.proceed(selected)
  await over()
  expect(steps).toEqual([])
})

it('a selection that the tool refuses is a warning, and gives the tool a while', async () => {
  const refused = ['REFUSED', "The tool refused the user's selection (HTTP 410)"]
  const { flow, steps, state, over } = await start(selected)
  state.delivery = { kind: 'refused', status: 410 }
  flow.proceed(selected)
  await over()
  expect(steps).toEqual([refused, 'in turn', told, 'fails later'])

  const ending = await start(selected)
  ending.send.mockImplementationOnce(async () => {
    ending.state.record = { ...ending.state.record, result: { text: 'Done' } }
    return { kind: 'refused', status: 410 }
  })
  ending.flow.proceed(selected)
  await ending.over()
  expect(ending.steps).toEqual([refused, 'in turn'])
})

it('a selection that does not get through at first is a warning', async () => {
  const { flow, steps, send, over } = await start(selected)
  send.mockImplementationOnce(async (_url, _body, _stop, { onTrouble }) => {
    onTrouble?.()
    return { kind: 'delivered' }
  })
  flow.proceed(selected)
  await over()
  expect(steps).toEqual([['UNREACHABLE', 'The tool does not take the selection yet'], 'in turn', told])
})

it('a step that fails is tried again, and a question that failed is asked again', async () => {
  const broken = new Error('broken')
  const { flow, space, steps, clock, choose, over } = await start(asked, {
    inTurn: vi.fn((task) => task()).mockRejectedValueOnce(broken),
  })
  await flow.begin(asked)
  await choose('Always')
  await vi.waitFor(() => expect(steps).toEqual([broken]))
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  clock.advance(100)
  await over()
  expect(steps).toEqual([broken, selected, told])
  expect(await space.record(QUESTION)).toMatchObject({ state: 'answered' })
})

it.each(['ended', 'closing'] as const)(
  'a step that fails is not tried again when the call is %s',
  async (how) => {
    const broken = new Error('broken')
    const started = await start(selected, { save: () => Promise.reject(broken) })
    started.flow.proceed(selected)
    await vi.waitFor(() => expect(started.steps).toContain(broken))
    started[how].abort()
    await started.over()
    expect(started.clock.pending()).toBe(0)
    expect(started.send).toHaveBeenCalledOnce()
  },
)
