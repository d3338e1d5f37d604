import { createMemoryFleet, createStoreRunnerChannel, type StoreListOptions } from '@sandagent/store'
import { describe, expect, it } from 'vitest'
import { fleetSandbox } from '../../src/fleet/fleet-sandbox.ts'
import { cursorOf, listQuestions, submitAnswer } from '../../src/index.ts'
import { openRecord } from '../../src/testing/index.ts'

const KEYS = { signingKeys: null }

/** A namespace with questions, and what was listed of it. */
async function asked(count: number) {
  const fleet = createMemoryFleet()
  const questions = fleet.questions('one')
  const runner = createStoreRunnerChannel(questions)
  for (let n = 0; n < count; n++)
    await runner.open(openRecord(`t${n}`, { askedAt: new Date(1_767_225_600_000 + n * 1000).toISOString() }))
  const lists: StoreListOptions[] = []
  const counted = {
    ...fleet,
    questions: () => ({
      read: questions.read.bind(questions),
      writeRecord: questions.writeRecord.bind(questions),
      writeAnswer: questions.writeAnswer.bind(questions),
      subscribe: questions.subscribe.bind(questions),
      list: (options: StoreListOptions = {}) => {
        lists.push(options)
        return questions.list(options)
      },
    }),
  }
  return { sandbox: fleetSandbox(counted, 'one'), lists, questions }
}

describe('the questions of a namespace', () => {
  it('are listed page by page, and each page asks the store for that many', async () => {
    const { sandbox, lists } = await asked(25)
    const first = await listQuestions(sandbox, { ...KEYS, limit: 10 })
    expect(first.map(({ toolCallId }) => toolCallId)).toEqual(Array.from({ length: 10 }, (_, n) => `t${n}`))
    expect(lists).toEqual([{ unsettled: true, limit: 10 }])
    const last = first.at(-1)
    const second = await listQuestions(sandbox, { ...KEYS, limit: 10, cursor: last && cursorOf(last) })
    expect(second.map(({ toolCallId }) => toolCallId)).toEqual(
      Array.from({ length: 10 }, (_, n) => `t${n + 10}`),
    )
    expect(await listQuestions(sandbox, KEYS)).toHaveLength(25)
  })

  it('fill a page although some of them are answered', async () => {
    const { sandbox } = await asked(25)
    for (let n = 0; n < 15; n++)
      await submitAnswer(
        sandbox,
        { toolCallId: `t${n}`, answers: { 'Which language?': 'A' }, status: 'completed' },
        KEYS,
      )
    const waiting = await listQuestions(sandbox, { ...KEYS, limit: 10 })
    expect(waiting.map(({ toolCallId }) => toolCallId)).toEqual(
      Array.from({ length: 10 }, (_, n) => `t${n + 15}`),
    )
  })

  it('are listed although a record among them is malformed', async () => {
    const { sandbox, questions } = await asked(5)
    const facts = { runId: 'run-1', askedAt: '2026-01-01T00:00:02.500Z', isSettled: false }
    await questions.writeRecord('bad', 'no record', { expected: null, facts })
    const onWarning = (): void => {}
    for (const limit of [1, 3, 4, 10])
      expect(await listQuestions(sandbox, { ...KEYS, limit, onWarning })).toHaveLength(Math.min(limit, 5))
  })
})

describe('the runs of a namespace', () => {
  const startedAt = '2026-01-01T00:00:00.000Z'

  it('show their owner and the last attempt of their log, and those of another namespace show neither', async () => {
    const fleet = createMemoryFleet()
    for (const namespace of ['one', 'two']) {
      await fleet.runs.put({ runId: `run-${namespace}`, namespace, metadata: {}, owner: 'Ada', startedAt })
      const piece = { offset: 0, bytes: Buffer.from('{}\n') }
      await fleet.logs?.append({ runId: `run-${namespace}`, attempt: 1 }, piece)
    }
    const { ownChannel, logs } = fleetSandbox(fleet, 'one')
    expect(await ownChannel?.ownerOfRun?.('run-one')).toBe('Ada')
    expect(await ownChannel?.ownerOfRun?.('run-two')).toBeUndefined()
    expect(await logs?.lastAttempt('run-one')).toBe(1)
    expect(await logs?.lastAttempt('run-two')).toBeNull()
    expect(await logs?.lastAttempt('run-three')).toBeNull()
  })
})
