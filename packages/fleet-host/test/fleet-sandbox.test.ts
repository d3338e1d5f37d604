import {
  createHostChannel,
  createRunnerChannel,
  type HostQuestions,
  type StoreListOptions,
} from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { createAnswerHandler, cursorOf, listQuestions, submitAnswer } from '@sandagent/sdk'
import { answerFileFor, createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { fleetSandbox } from '../src/fleet-sandbox.ts'

const KEYS = { signingKeys: null }

/** A namespace with questions, and what was listed of it. */
async function asked(count: number) {
  const fleet = createMemoryFleet()
  const questions = fleet.questions('one')
  const runner = createRunnerChannel(questions)
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
  it('take no files, and say so before anybody chooses one, also where the asker takes some', async () => {
    const { sandbox, questions } = await asked(0)
    // As a mirror writes it.
    const seen = { id: 'q', question: 'What do you see?', files: {} }
    await createRunnerChannel(questions).open(openRecord('t1', { questions: [seen] }))
    const { GET, POST } = createAnswerHandler({ sandbox, authorize: () => true, ...KEYS })
    const url = 'http://localhost/api/answer?toolCallId=t1'
    const view = await (await GET(new Request(url))).json()
    expect(view).toMatchObject({ state: 'open', questions: [seen] })
    expect(view).not.toHaveProperty('takesFiles')
    const headers = { 'content-type': 'application/octet-stream' }
    const upload = new Request(`${url}&question=q`, { method: 'POST', headers, body: 'a dog' })
    expect(await (await POST(upload)).json()).toMatchObject({
      success: false,
      error: { code: 'INVALID_REQUEST', message: expect.stringContaining('Answer in words') },
    })
  })

  it('are listed page by page, and each page asks the store for that many', async () => {
    const { sandbox, lists } = await asked(25)
    const first = await listQuestions(sandbox, { ...KEYS, limit: 10 })
    expect(first.map(({ toolCallId }) => toolCallId)).toEqual(Array.from({ length: 10 }, (_, n) => `t${n}`))
    expect(lists).toMatchObject([{ unsettled: true, limit: 10 }])
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
    const { runs, logs } = fleetSandbox(fleet, 'one')
    expect(await runs?.owner?.('run-one')).toBe('Ada')
    expect(await runs?.owner?.('run-two')).toBeUndefined()
    expect(await logs?.lastAttempt('run-one')).toBe(1)
    expect(await logs?.lastAttempt('run-two')).toBeNull()
    expect(await logs?.lastAttempt('run-three')).toBeNull()
  })

  it('have keys, and read their logs', async () => {
    const fleet = createMemoryFleet()
    const run = { runId: 'run-1', namespace: 'one', metadata: {}, startedAt, publicKeyIds: ['k'] }
    await fleet.runs.put(run)
    const log = { runId: 'run-1', attempt: 1 }
    const pieces = [Buffer.from('one\n'), Buffer.from('two\n')]
    for (const [n, bytes] of pieces.entries()) await fleet.logs?.append(log, { offset: n * 4, bytes })
    const { runs, logs } = fleetSandbox(fleet, 'one')
    expect(await runs?.keyIds('run-1')).toEqual(['k'])
    expect(await runs?.keyIds('run-2')).toBeUndefined()
    expect(String(await logs?.tail(log, 4))).toBe('two\n')
    const read: string[] = []
    const options = { follow: false, signal: new AbortController().signal }
    for await (const { bytes } of logs?.pieces(log, options) ?? []) read.push(Buffer.from(bytes).toString())
    expect(read).toEqual(['one\n', 'two\n'])
    const { logs: _, ...withoutLogs } = fleet
    expect(fleetSandbox(withoutLogs, 'one').logs).toBeUndefined()
  })

  it('are not read again for keys that their runner names as they were read', async () => {
    const fleet = createMemoryFleet()
    const run = { runId: 'run-1', namespace: 'one', metadata: {}, startedAt }
    const keysFor = (...named: string[]) => fleetSandbox(fleet, 'one').runs?.keyIds('run-1', named)
    await fleet.runs.put({ ...run, publicKeyIds: ['forged'] })
    expect(await fleetSandbox(fleet, 'two').runs?.keyIds('run-1', ['forged'])).toBeUndefined()
    await fleet.runs.put({ ...run, publicKeyIds: ['first'] })
    expect(await keysFor('forged')).toEqual(['first'])
    await fleet.runs.put({ ...run, publicKeyIds: ['second'] })
    expect(await keysFor('first')).toEqual(['first'])
    expect(await keysFor('second')).toEqual(['second'])
    expect(await keysFor('first')).toEqual(['second'])
    expect(await keysFor()).toEqual(['second'])
  })

  it('are looked up once for the calls of one moment, and again later', async () => {
    const fleet = createMemoryFleet()
    for (const runId of ['run-1', 'run-2'])
      await fleet.runs.put({ runId, namespace: 'one', metadata: {}, startedAt })
    const found: string[] = []
    const runs = {
      ...fleet.runs,
      find(runId: string) {
        found.push(runId)
        return fleet.runs.find(runId)
      },
    }
    const { runs: facts } = fleetSandbox({ ...fleet, runs }, 'one')
    const look = (runId: string) => Promise.all([facts?.keyIds(runId), facts?.owner?.(runId)])
    await look('run-1')
    await look('run-2')
    expect(found).toEqual(['run-1', 'run-2'])
    await vi.waitFor(async () => {
      await look('run-2')
      expect(found.slice(0, 3)).toEqual(['run-1', 'run-2', 'run-2'])
    })
  })
})

describe('the channel of a namespace', () => {
  const signal = () => new AbortController().signal

  async function opened(authenticate = async <T>(answerFile: T): Promise<T | null> => answerFile) {
    const fleet = createMemoryFleet()
    const questions = fleet.questions('one')
    await createRunnerChannel(questions).open(openRecord('c'))
    const clock = createFakeClock()
    const warnings: string[] = []
    const { questions: store, runs } = fleetSandbox(fleet, 'one')
    const host = createHostChannel(store as HostQuestions, {
      authenticate,
      hasRunEnded: runs?.hasEnded,
      onWarning: ({ code }) => warnings.push(code),
      clock,
    })
    return { fleet, questions, clock, warnings, host }
  }

  it('tells whether the run that asks has ended, and looks again by its clock', async () => {
    const { fleet, host, clock } = await opened()
    const startedAt = '2026-01-01T00:00:00.000Z'
    expect((await host.read('c')).runEnded).toBeUndefined()
    await fleet.runs.put({ runId: 'run-1', namespace: 'one', metadata: {}, startedAt })
    const states = host.subscribe(signal(), 'c')[Symbol.asyncIterator]()
    expect((await states.next()).value).not.toHaveProperty('runEnded')
    expect(clock.pending()).toBe(1)
    await states.return?.()
    await fleet.runs.end({ runId: 'run-1', startedAt, endedAt: startedAt })
    await vi.waitFor(async () => expect(await host.read('c')).toMatchObject({ runEnded: true }))
  })

  it('leaves out the answers that its host did not give, and warns of what cannot be read', async () => {
    const { host, questions, warnings } = await opened(async () => null)
    const text = JSON.stringify(answerFileFor('c'))
    await questions.writeAnswer('c', text, { expected: null })
    expect((await host.read('c')).answerFile).toBeUndefined()
    const facts = { runId: 'run-1', askedAt: '2026-01-01T00:00:00.000Z', isSettled: false }
    await questions.writeRecord('bad', 'no record', { expected: null, facts })
    await host.questions()
    expect(warnings).toHaveLength(1)
  })

  it('has no files beside it', async () => {
    const { files, id } = fleetSandbox(createMemoryFleet(), 'one')
    expect([files, id]).toEqual([undefined, 'fleet:one'])
  })
})
