import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QuestionStore } from '@sandagent/core/store'
import { createFileRunnerChannel } from '@sandagent/files'
import { ownProcessHandle } from '@sandagent/files/internal'
import { createMemoryFleet } from '@sandagent/fleet'
import { LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import type { RunRecord } from '@sandagent/sdk/internal'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fleetSandbox } from '../src/fleet-sandbox.ts'
import { mirrorQuestions } from '../src/mirror-questions.ts'

/** A sandbox of one host, and the same questions as another host of the fleet sees them. */
async function mirrored() {
  const workdir = await mkdtemp(join(tmpdir(), 'mirror-'))
  const sandbox = new LocalSandbox({ workdir })
  const runner = createFileRunnerChannel({ workdir })
  const fleet = createMemoryFleet()
  const start = () => {
    const stop = new AbortController()
    const signal = stop.signal
    const ended = mirrorQuestions(sandbox, {
      fleet,
      namespace: 'one',
      signal,
      signingKeys: null,
    })
    return async () => {
      stop.abort()
      await ended
    }
  }
  let stop = start()
  onTestFinished(async () => {
    await stop()
    await fleet.close()
    await rm(workdir, { recursive: true, force: true })
  })
  return {
    workdir,
    sandbox,
    runner,
    fleet,
    runs: fleet.runs,
    elsewhere: fleetSandbox(fleet, 'one'),
    questions: fleet.questions('one'),
    stopMirror: () => stop(),
    startMirror() {
      stop = start()
    },
  }
}

const ANSWER = { toolCallId: 't1', answers: { 'Which language?': 'A' } }
const KEYS = { signingKeys: null }

const seenBy = (sandbox: Parameters<typeof listQuestions>[0], count: number) =>
  vi.waitFor(async () => expect(await listQuestions(sandbox, KEYS)).toHaveLength(count))

/** Records a run as the host that starts it does. */
async function recordRun({ files }: LocalSandbox, more: Partial<RunRecord> = {}): Promise<void> {
  const process = (await ownProcessHandle()) as string
  const facts = { version: 1, runId: 'run-1', attempt: 1, agent: 'a', args: [], prompt: '', metadata: {} }
  const run = { ...facts, process, startedAt: '2026-01-01T00:00:00.000Z', maxLogBytes: 1000, ...more }
  const folder = `.sandagent/runs/run-1/${run.attempt}`
  await files.writeAtomic(`${folder}.json`, '{}')
  await files.writeAtomic(`${folder}/run.json`, JSON.stringify(run))
}

async function recordEndedRun(sandbox: LocalSandbox): Promise<void> {
  const [pid, , system] = ((await ownProcessHandle()) as string).split(' ')
  await recordRun(sandbox, { process: `${pid} 1 ${system}` })
}

const noDisk = async (): Promise<never> => {
  throw Object.assign(new Error('no disk'), { code: 'EIO' })
}

const deliveredOf = async (questions: QuestionStore): Promise<number> => {
  const [stored] = await questions.read(['t1'])
  return JSON.parse(stored?.record?.text ?? '').mirror.delivered
}

describe('questions in files, mirrored to a fleet', () => {
  it('are listed and answered by any host, and the runner gets the answer', async () => {
    const { runner, elsewhere } = await mirrored()
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    await submitAnswer(elsewhere, { ...ANSWER, status: 'completed' }, { ...KEYS, answeredBy: 'ada' })
    expect(await runner.read('t1')).toMatchObject({ status: 'completed', answeredBy: 'ada' })
    await seenBy(elsewhere, 0)
  })

  it('show the drafts and answers that were given beside the sandbox', async () => {
    const { runner, elsewhere, sandbox } = await mirrored()
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    await submitAnswer(sandbox, { ...ANSWER, status: 'completed' }, { ...KEYS, answeredBy: 'bob' })
    await seenBy(elsewhere, 0)
    const answer = submitAnswer(elsewhere, { ...ANSWER, status: 'declined' }, { ...KEYS, answeredBy: 'ada' })
    await expect(answer).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('do not acknowledge an answer before it is in the sandbox', async () => {
    const { runner, elsewhere, stopMirror, startMirror } = await mirrored()
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    await stopMirror()
    let isDone = false
    const answer = submitAnswer(elsewhere, { ...ANSWER, status: 'completed' }, KEYS).then(() => {
      isDone = true
    })
    await vi.waitFor(async () => expect(await listQuestions(elsewhere, KEYS)).toHaveLength(0))
    expect(isDone).toBe(false)
    expect(await runner.read('t1')).toBeNull()
    startMirror()
    await answer
    expect(await runner.read('t1')).toMatchObject({ status: 'completed' })
  })

  it('tell a late answer that the question has ended', async () => {
    const { runner, elsewhere, stopMirror, startMirror } = await mirrored()
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    await stopMirror()
    const answer = submitAnswer(elsewhere, { ...ANSWER, status: 'completed' }, KEYS)
    answer.catch(() => {})
    await vi.waitFor(async () => expect(await listQuestions(elsewhere, KEYS)).toHaveLength(0))
    await runner.close('t1', 'timed-out')
    await runner.settle('t1', { state: 'timed-out', settledAt: new Date().toISOString(), responses: {} })
    startMirror()
    await expect(answer).rejects.toMatchObject({ code: 'GONE' })
  })

  it('have one final answer when both sides answer at once', async () => {
    const { runner, elsewhere, sandbox } = await mirrored()
    for (let n = 0; n < 10; n++) {
      const toolCallId = `t${n}`
      await runner.open(openRecord(toolCallId))
      await vi.waitFor(async () =>
        expect((await listQuestions(elsewhere, KEYS)).map((each) => each.toolCallId)).toContain(toolCallId),
      )
      const results = await Promise.allSettled(
        [elsewhere, sandbox].map((each, index) =>
          submitAnswer(
            each,
            { ...ANSWER, toolCallId, status: index ? 'declined' : 'completed' },
            { ...KEYS, answeredBy: `host ${index}` },
          ),
        ),
      )
      const winners = results.flatMap(({ status }, index) =>
        status === 'fulfilled' ? [`host ${index}`] : [],
      )
      expect(winners).toEqual([(await runner.read(toolCallId))?.answeredBy])
    }
  })

  it('take no answer that was stored for another question', async () => {
    const { runner, elsewhere, questions } = await mirrored()
    await questions.writeAnswer('t1', JSON.stringify(answerFileFor('t1', { nonce: 'other' })), {
      expected: null,
    })
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    expect(await runner.read('t1')).toBeNull()
  })

  it('say that an answer is delivered once it survives a power cut', async () => {
    const { runner, elsewhere, sandbox, questions, stopMirror, startMirror } = await mirrored()
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    await stopMirror()
    await submitAnswer(sandbox, { ...ANSWER, status: 'completed' }, KEYS)
    const sync = vi.spyOn(sandbox.files, 'sync').mockImplementation(noDisk)
    startMirror()
    await vi.waitFor(() => expect(sync).toHaveBeenCalled())
    expect(await deliveredOf(questions)).toBe(0)
    sync.mockRestore()
    await vi.waitFor(async () => expect(await deliveredOf(questions)).toBe(1))
  })

  it('say that an answer is delivered once it is where the runner looks', async () => {
    const { runner, elsewhere, sandbox, workdir, questions, stopMirror, startMirror } = await mirrored()
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    await stopMirror()
    await submitAnswer(sandbox, { ...ANSWER, status: 'completed' }, KEYS)
    await rm(join(workdir, '.sandagent/approvals/t1.json'))
    const write = vi.spyOn(sandbox.files, 'writeAtomic').mockImplementation(noDisk)
    startMirror()
    await seenBy(elsewhere, 0)
    const count = write.mock.calls.length
    await vi.waitFor(() => expect(write.mock.calls.length).toBeGreaterThan(count))
    expect(await deliveredOf(questions)).toBe(0)
    write.mockRestore()
    await vi.waitFor(async () => expect(await deliveredOf(questions)).toBe(1))
    expect(await runner.read('t1')).toMatchObject({ status: 'completed' })
  })
})

describe('the runs of mirrored questions', () => {
  const MIRRORED = 'one/run-1'
  const RUN = {
    runId: 'run-1',
    namespace: 'one',
    metadata: { chat: '7' },
    startedAt: '2025-01-01T00:00:00.000Z',
  }

  it('take no id of a run that a host starts, now or later', async () => {
    const { runner, elsewhere, runs, sandbox } = await mirrored()
    const other = { ...RUN, namespace: 'two', publicKeyIds: ['theirs'], owner: 'Bo' }
    await runs.put(other)
    await recordEndedRun(sandbox)
    for (const [index, runId] of ['run-1', 'nightly'].entries())
      await runner.open(openRecord(`t${index}`, { runId }))
    await seenBy(elsewhere, 2)
    expect(await runs.find('run-1')).toEqual(other)
    expect(await runs.find('nightly')).toBeNull()
    expect(await elsewhere.runs?.keyIds('run-1')).toBeUndefined()
    expect(await elsewhere.runs?.owner?.('run-1')).toBeUndefined()
  })

  it('show their keys, their owner and their end to every host', async () => {
    const { runner, elsewhere, sandbox } = await mirrored()
    await recordRun(sandbox, { publicKeyIds: ['first'], owner: 'Ada' })
    await runner.open(openRecord('t1'))
    await vi.waitFor(async () => expect(await elsewhere.runs?.keyIds('run-1')).toEqual(['first']))
    expect(await elsewhere.runs?.owner?.('run-1')).toBe('Ada')
    expect(await listQuestions(elsewhere, KEYS)).toMatchObject([{ toolCallId: 't1' }])
    await recordEndedRun(sandbox)
    await runner.open(openRecord('t2'))
    await vi.waitFor(async () =>
      expect((await listQuestions(elsewhere, KEYS)).map(({ runEnded }) => runEnded)).toEqual([true, true]),
    )
  })

  it('do not change a run of the same namespace that a host has started', async () => {
    const { runner, elsewhere, runs, sandbox } = await mirrored()
    const started = { ...RUN, publicKeyIds: ['given'], owner: 'Ada' }
    await runs.put(started)
    await recordRun(sandbox, { publicKeyIds: ['first'], owner: 'Eve' })
    await runner.open(openRecord('t1'))
    await seenBy(elsewhere, 1)
    expect(await runs.find('run-1')).toEqual(started)
    expect(await elsewhere.runs?.keyIds('run-1')).toEqual(['given'])
    expect(await elsewhere.runs?.owner?.('run-1')).toBe('Ada')
  })

  it('show no log of a run that a host has started elsewhere', async () => {
    const { runner, elsewhere, fleet } = await mirrored()
    const piece = { offset: 0, bytes: Buffer.from('data: {}\n\n') }
    await fleet.logs?.append({ runId: 'nightly', attempt: 1 }, piece)
    await runner.open(openRecord('t1', { runId: 'nightly' }))
    await seenBy(elsewhere, 1)
    expect(await elsewhere.logs?.lastAttempt('nightly')).toBeNull()
  })

  it('stay ended when one of their questions is settled', async () => {
    const { runner, elsewhere, runs, sandbox } = await mirrored()
    await recordEndedRun(sandbox)
    for (const id of ['t1', 't2']) await runner.open(openRecord(id))
    await seenBy(elsewhere, 2)
    await vi.waitFor(async () => expect(await runs.find(MIRRORED)).toHaveProperty('endedAt'))
    await runner.settle('t1', { state: 'timed-out', settledAt: new Date().toISOString(), responses: {} })
    await seenBy(elsewhere, 1)
    expect(await runs.find(MIRRORED)).toHaveProperty('endedAt')
  })

  it('keep what another mirror entered, and are ended by it', async () => {
    const { runner, runs, sandbox } = await mirrored()
    await runs.put({ ...RUN, runId: MIRRORED })
    await recordEndedRun(sandbox)
    await runner.open(openRecord('t1'))
    await vi.waitFor(async () =>
      expect(await runs.find(MIRRORED)).toEqual({ ...RUN, runId: MIRRORED, endedAt: expect.any(String) }),
    )
  })

  it('keep the owner whom the fleet knows, whatever the files say', async () => {
    const { runner, runs, sandbox } = await mirrored()
    await runs.put({ ...RUN, runId: MIRRORED, owner: 'Ada' })
    await recordRun(sandbox, { publicKeyIds: ['first'], owner: 'Eve' })
    await runner.open(openRecord('t1'))
    await vi.waitFor(async () => expect(await runs.find(MIRRORED)).toMatchObject({ publicKeyIds: ['first'] }))
    expect(await runs.find(MIRRORED)).toMatchObject({ owner: 'Ada' })
  })

  it('are entered again when they were started with other keys', async () => {
    const { runner, runs, sandbox } = await mirrored()
    for (const [index, key] of ['first', 'second'].entries()) {
      await recordRun(sandbox, { attempt: index + 1, publicKeyIds: [key] })
      await runner.open(openRecord(`t${index}`))
      await vi.waitFor(async () => expect(await runs.find(MIRRORED)).toMatchObject({ publicKeyIds: [key] }))
    }
    expect(await runs.find(MIRRORED)).not.toHaveProperty('endedAt')
  })
})
