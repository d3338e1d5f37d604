import type { HostChannel, QuestionState } from '@sandagent/core/internal'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ANSWER, at, failing, handling, NO_KEYS, recordOf, text } from '../support/channel-handling.ts'

it('a state has its texts, its facts and the keys of its run', async () => {
  const state = { ...at('q'), answerFile: ANSWER, unpublished: true, runEnded: true } as QuestionState
  const read = vi.fn(async () => state)
  const { handlers, task } = handling({ read }, ['k1', 'k2'])
  expect(await handlers.question({ ...NO_KEYS, toolCallId: 'q' }, task)).toEqual({
    ...{ toolCallId: 'q', record: text(recordOf('q')), answerFile: text(ANSWER) },
    ...{ unpublished: true, runEnded: true, keyIds: ['k1', 'k2'] },
  })
  expect(read.mock.calls).toEqual([['q']])
  read.mockResolvedValue({ toolCallId: 'q', isUnread: true })
  expect(await handlers.question({ ...NO_KEYS, toolCallId: 'q' }, task)).toEqual({
    toolCallId: 'q',
    isUnread: true,
  })
})

it('a run without keys names none', async () => {
  const { handlers, task } = handling({ read: async () => at('q') })
  expect(await handlers.question({ ...NO_KEYS, toolCallId: 'q' }, task)).toEqual({
    toolCallId: 'q',
    record: text(recordOf('q')),
  })
  expect(await handlers.keysOfRun({ runId: 'run-1' }, task)).toEqual([])
  expect(await handling({}, ['k']).handlers.keysOfRun({ runId: 'run-1' }, task)).toEqual(['k'])
})

it('answers are checked by the keys of the host that asks, and by no key of this machine', async () => {
  vi.stubEnv('SANDAGENT_SIGNING_KEY', await createSigningKey())
  onTestFinished(() => void vi.unstubAllEnvs())
  const [one, other] = [
    (await parseSigningKeys(await createSigningKey())).publicKeys,
    (await parseSigningKeys(await createSigningKey())).publicKeys,
  ]
  const persist = vi.fn(async () => {})
  const { handlers, task, create, clock } = handling({ read: async () => at('q'), persist })
  for (const keys of [one, other, one, null]) await handlers.question({ keys, toolCallId: 'q' }, task)
  expect(await handlers.persist({}, task)).toBeNull()
  expect(persist).toHaveBeenCalledOnce()
  const given = create.mock.calls.map(([, options]) => options)
  expect(given.map(({ signingKeys }) => signingKeys?.publicKeys ?? null)).toEqual([
    one,
    other,
    one,
    null,
    null,
  ])
  expect(given.every((options) => options.clock === clock)).toBe(true)
})

it('a warning travels with its code, its message and its call', async () => {
  const { handlers, task, create, events } = handling({ read: async () => at('q') })
  await handlers.question({ ...NO_KEYS, toolCallId: 'q' }, task)
  const warn = create.mock.calls[0]?.[1].onWarning as (warning: object) => void
  warn({ code: 'C', message: 'M', toolCallId: 'q', path: 'p' })
  warn({ code: 'C', message: 'M' })
  expect(events).toEqual([
    { warning: { code: 'C', message: 'M', toolCallId: 'q' } },
    { warning: { code: 'C', message: 'M' } },
  ])
})

describe('the states of questions', () => {
  const questions = vi.fn(async () => [recordOf('a'), recordOf('b')])

  it('come from their listed records where these are known, and at their places', async () => {
    const states = vi.fn(async () => [failing('UNREACHABLE'), at('a')])
    const read = vi.fn(async (id: string) => at(id))
    const { handlers, task, events } = handling({ questions, states, read })
    expect(await handlers.questions({ ...NO_KEYS, unsettled: true }, task)).toBeNull()
    expect(questions).toHaveBeenLastCalledWith({ unsettled: true })
    expect(events.splice(0)).toEqual([{ record: text(recordOf('a')) }, { record: text(recordOf('b')) }])
    expect(await handlers.states({ ...NO_KEYS, toolCallIds: ['x', 'b', 'a'] }, task)).toBeNull()
    expect(states.mock.calls).toEqual([[[recordOf('b'), recordOf('a')]]])
    expect(read.mock.calls).toEqual([['x']])
    expect(events).toEqual([
      { index: 0, state: { toolCallId: 'x', record: text(recordOf('x')) } },
      { index: 1, error: { code: 'UNREACHABLE', message: 'It is UNREACHABLE', facts: {} } },
      { index: 2, state: { toolCallId: 'a', record: text(recordOf('a')) } },
    ])
  })

  it('are left out where the channel has none', async () => {
    const { handlers, task, events } = handling({ questions, states: async () => [] })
    await handlers.questions({ ...NO_KEYS, unsettled: false }, task)
    events.length = 0
    await handlers.states({ ...NO_KEYS, toolCallIds: ['a'] }, task)
    expect(events).toEqual([])
  })

  it('have the errors of questions that cannot be read now, and no other errors', async () => {
    const read = vi.fn<HostChannel['read']>().mockRejectedValue(failing('UNREACHABLE'))
    const { handlers, task, events } = handling({ read, states: async () => [] })
    const ask = () => handlers.states({ ...NO_KEYS, toolCallIds: ['x'] }, task)
    await ask()
    expect(events).toMatchObject([{ index: 0, error: { code: 'UNREACHABLE' } }])
    for (const error of [failing('INVALID_FILE'), Object.assign(new Error('no'), { code: 'UNREACHABLE' })]) {
      read.mockRejectedValue(error)
      await expect(ask()).rejects.toBe(error)
    }
  })

  it('come as they change, until the request ends', async () => {
    const subscribe = vi.fn(async function* (_: AbortSignal, __?: string) {
      yield at('q')
      yield at('r')
    })
    const { handlers, task, events } = handling({ subscribe })
    expect(await handlers.subscribe({ ...NO_KEYS, toolCallId: 'q' }, task)).toBeNull()
    expect(subscribe.mock.calls).toEqual([[task.signal, 'q']])
    expect(events).toMatchObject([{ state: { toolCallId: 'q' } }, { state: { toolCallId: 'r' } }])
  })

  it('without a record come', async () => {
    const { handlers, task, events } = handling({ withoutRecord: async () => [at('q')] })
    expect(await handlers.withoutRecord(NO_KEYS, task)).toBeNull()
    expect(events).toMatchObject([{ state: { toolCallId: 'q' } }])
  })
})
