import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type ParkedSandbox, type ParkOptions, parkSandbox } from '@sandagent/remote'
import {
  createSigningKey,
  listQuestions,
  parseSigningKeys,
  type Run,
  readRun,
  startRun,
  stopRun,
  streamRun,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sandagent } from '../support/mcp.ts'
import { type Sleep, type SleepySandbox, sleepySandbox } from '../support/park/sleepy-sandbox.ts'

const QUESTION = 'Which language?'
const signingKeys = await parseSigningKeys(await createSigningKey())

/** Asks one question, and then says its answer. */
const scenario = (ask: object = {}) => ({
  steps: [
    {
      ask: {
        questions: [{ id: 'language', question: QUESTION, options: [{ label: 'Go' }, { label: 'Zig' }] }],
        ...ask,
      },
    },
    { say: 'It is {{answers.language}}' },
  ],
})

interface Parked extends SleepySandbox {
  parked: ParkedSandbox
  folder: string
  errors: unknown[]
  /** Parks the sandbox as another host does that takes over the folder. */
  again(options?: Partial<ParkOptions>): Promise<ParkedSandbox>
}

async function park(kind: Sleep, options: Partial<ParkOptions> = {}): Promise<Parked> {
  const sleepy = await sleepySandbox(kind)
  const folder = await tempDir()
  const errors: unknown[] = []
  const again = async (more: Partial<ParkOptions> = {}): Promise<ParkedSandbox> => {
    const { sleep, wake } = sleepy
    const given = {
      folder,
      afterMs: 50,
      sleep,
      wake,
      signingKeys,
      onError: (error: unknown) => errors.push(error),
    }
    const parked = await parkSandbox(sleepy.sandbox, { ...given, ...options, ...more })
    onTestFinished(() => parked.close())
    return parked
  }
  return { ...sleepy, parked: await again(), folder, errors, again }
}

async function start({ parked, workdir }: Parked, ask?: object): Promise<Run> {
  await writeFile(join(workdir, 'scenario.json'), JSON.stringify(scenario(ask)))
  const request = {
    agent: 'scripted',
    args: ['--scenario', 'scenario.json'],
    prompt: 'Go',
    runner: [process.execPath, sandagent] as const,
  }
  return startRun(parked, request, { signingKeys, onError: () => {} })
}

const phase = (parked: ParkedSandbox, wanted: ParkedSandbox['phase']) =>
  vi.waitFor(() => expect(parked.phase).toBe(wanted))

const answer = async (sandbox: ParkedSandbox, label = 'Zig') => {
  const [question] = await listQuestions(sandbox, { signingKeys })
  const toolCallId = `${question?.toolCallId}`
  return submitAnswer(
    sandbox,
    { toolCallId, status: 'completed', answers: { [QUESTION]: label } },
    { signingKeys },
  )
}

/** What the run said, once it has ended. */
async function saidBy(sandbox: ParkedSandbox, runId: string): Promise<string> {
  let text = ''
  for await (const piece of await streamRun(sandbox, runId)) text += Buffer.from(piece).toString()
  return [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')
}

/** Stands in for a host that was killed while it waited for its sandbox. */
const never = (): Promise<void> => new Promise(() => {})

const finished = (sandbox: ParkedSandbox, runId: string) =>
  vi.waitFor(async () => expect(await readRun(sandbox, runId)).toMatchObject({ state: 'finished' }))

describe.each<Sleep>(['freeze', 'end'])('a sandbox whose sleep is to %s', (kind) => {
  const restart = (run: Run) => ({ ...run, runner: [process.execPath, sandagent] as const })

  it('sleeps while a question waits, and wakes once for the answer', async () => {
    const all = await park(kind, { restart })
    const { parked } = all
    const { runId } = await start(all)
    await phase(parked, 'asleep')
    await vi.waitFor(async () => expect(await all.programs()).toEqual(kind === 'freeze' ? ['T'] : []))

    expect(await listQuestions(parked, { signingKeys })).toMatchObject([{ state: 'open' }])
    expect((await listQuestions(parked, { signingKeys }))[0]).not.toHaveProperty('runEnded')
    expect(await readRun(parked, runId)).toMatchObject({ state: 'running' })
    expect(await answer(parked)).toMatchObject({ status: 'completed' })

    await finished(parked, runId)
    expect(await saidBy(parked, runId)).toContain('It is Zig')
    expect(all.woken()).toBe(1)
    expect(all.disturbed()).toBe(0)
    expect(all.errors).toEqual([])
  })

  it('goes on after the host was killed, with the answer that came before', async () => {
    const killed = never()
    const all = await park(kind, { restart, wake: () => killed })
    const { runId } = await start(all)
    await phase(all.parked, 'asleep')
    await answer(all.parked)

    const next = await all.again({ restart, wake: all.wake, folder: await leftBy(all) })
    await finished(next, runId)
    expect(await saidBy(next, runId)).toContain('It is Zig')
    expect(all.woken()).toBe(1)
  })

  it('is put to sleep by the next host if the last one was killed right before', async () => {
    const killed = never()
    const all = await park(kind, { restart, sleep: () => killed })
    const { runId } = await start(all)
    await phase(all.parked, 'asleep')

    const next = await all.again({ restart, sleep: all.sleep, folder: await leftBy(all) })
    await vi.waitFor(async () => expect(await all.programs()).toEqual(kind === 'freeze' ? ['T'] : []))
    await answer(next)
    await finished(next, runId)
    expect(all.woken()).toBe(1)
  })

  it('wakes before the deadline, so that the agent itself ends the wait', async () => {
    const all = await park(kind, { restart, wakeBeforeMs: 2000 })
    const { runId } = await start(all, { timeoutMs: 25_000, ifUnanswered: 'continue' })
    await phase(all.parked, 'asleep')
    await finished(all.parked, runId)
    expect(all.woken()).toBe(1)
    expect(await saidBy(all.parked, runId)).toBe('It is ')
    expect(await refusalOf(answer(all.parked))).toBe('NOT_FOUND')
  })

  it('wakes for what needs it: a stop', async () => {
    const all = await park(kind, { restart })
    const { runId } = await start(all)
    await phase(all.parked, 'asleep')
    await stopRun(all.parked, runId, { reason: 'Enough' })
    expect(await readRun(all.parked, runId)).toMatchObject({ state: 'stopped' })
    expect(all.parked.phase).toBe('awake')
  })
})

describe('a parked sandbox', () => {
  it('keeps a draft without waking', async () => {
    const all = await park('freeze')
    await start(all)
    await phase(all.parked, 'asleep')
    const [question] = await listQuestions(all.parked, { signingKeys })
    const draft = { toolCallId: `${question?.toolCallId}`, status: 'pending' as const }
    await submitAnswer(all.parked, { ...draft, answers: { [QUESTION]: 'Go' } }, { signingKeys })
    expect(await listQuestions(all.parked, { signingKeys })).toMatchObject([
      { responses: { language: { selected: ['Go'] } } },
    ])
    expect(all.parked.phase).toBe('asleep')
    await all.parked.wake()
    expect(await listQuestions(all.parked, { signingKeys })).toMatchObject([
      { responses: { language: { selected: ['Go'] } } },
    ])
  })

  it('streams a run across its sleep', async () => {
    const all = await park('freeze')
    const { runId } = await start(all)
    const said = saidBy(all.parked, runId)
    await phase(all.parked, 'asleep')
    await answer(all.parked, 'Go')
    expect(await said).toContain('It is Go')
  })

  it('tells that nobody can answer when it is gone for good', async () => {
    const gone = new AskError('GONE', 'The vendor has removed it')
    const all = await park('freeze', { wake: () => Promise.reject(gone) })
    await start(all)
    await phase(all.parked, 'asleep')
    await expect(all.parked.wake()).rejects.toMatchObject({ code: 'GONE' })
    expect(all.parked.phase).toBe('gone')
    expect(all.errors).toEqual([gone])
    expect(await listQuestions(all.parked, { signingKeys })).toMatchObject([{ runEnded: true }])
    expect(await refusalOf(answer(all.parked))).toBe('GONE')
    const next = await all.again({ folder: await leftBy(all) })
    expect(next.phase).toBe('gone')
  })

  it('tries again when it cannot be woken', async () => {
    let failures = 0
    const all: Parked = await park('freeze', {
      async wake() {
        if (++failures <= 2) throw new Error('The vendor is busy')
        await all.wake()
      },
    })
    const { runId } = await start(all)
    await phase(all.parked, 'asleep')
    expect(await answer(all.parked)).toMatchObject({ status: 'completed' })
    await finished(all.parked, runId)
    expect(all.errors).toMatchObject([{ message: 'The vendor is busy' }, { message: 'The vendor is busy' }])
  })

  it('confirms no answer that its agent does not get, when the host was away over the deadline', async () => {
    const all = await park('freeze', { wakeBeforeMs: 0 })
    const { runId } = await start(all, { timeoutMs: 25_000, ifUnanswered: 'continue' })
    await phase(all.parked, 'asleep')
    const [question] = await listQuestions(all.parked, { signingKeys })
    await all.parked.close()
    const deadline = Date.parse(`${question?.deadline}`)
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(deadline))

    let given: Promise<unknown> | undefined
    const sleep = async (): Promise<void> => {
      await all.sleep()
      // Long enough that an answer could be stored before the sandbox wakes.
      await vi.waitFor(() => expect(given).toBeDefined())
      for (let looks = 0; looks < 50; looks++) await listQuestions(next, { signingKeys })
    }
    const record = join(all.workdir, `.sandagent/questions/${question?.toolCallId}.json`)
    const wake = async (): Promise<void> => {
      await all.wake()
      // The runner ends the wait before this host knows that the sandbox is awake.
      await vi.waitFor(async () => expect(await readFile(record, 'utf8')).toContain('"timed-out"'))
    }
    const next = await all.again({ sleep, wake })
    const completed = { toolCallId: `${question?.toolCallId}`, status: 'completed' as const }
    given = submitAnswer(next, { ...completed, answers: { [QUESTION]: 'Zig' } }, { signingKeys })
    const told = await given.then(
      () => 'It is Zig',
      () => 'It is ',
    )
    await finished(next, runId)
    expect(await saidBy(next, runId)).toBe(told)
  })

  it('stays awake for runs that may not sleep, and keeps the place alive', async () => {
    let calls = 0
    const keepAlive = async () => void calls++
    const all = await park('freeze', { mayPark: () => false, keepAlive })
    const { runId } = await start(all)
    await vi.waitFor(async () => expect(await listQuestions(all.parked, { signingKeys })).toHaveLength(1))
    await vi.waitFor(() => expect(calls).toBe(1))
    await answer(all.parked)
    await finished(all.parked, runId)
    expect(all.woken()).toBe(0)
  })

  it('starts a run while it sleeps, and sleeps again with both', async () => {
    const all = await park('freeze')
    const first = await start(all)
    await phase(all.parked, 'asleep')
    const second = await start(all)
    await phase(all.parked, 'asleep')
    expect(await listQuestions(all.parked, { signingKeys })).toHaveLength(2)
    await answer(all.parked)
    await vi.waitFor(async () => expect(await listQuestions(all.parked, { signingKeys })).toHaveLength(1))
    await phase(all.parked, 'asleep')
    await answer(all.parked)
    for (const { runId } of [first, second]) await finished(all.parked, runId)
    expect(all.errors).toEqual([])
  })

  it('wakes although the agent has put a link in the place of an answer', async () => {
    const all = await park('freeze')
    const { runId } = await start(all)
    await phase(all.parked, 'asleep')
    const [question] = await listQuestions(all.parked, { signingKeys })
    await mkdir(join(all.workdir, '.sandagent/approvals'), { recursive: true })
    await symlink('/etc/passwd', join(all.workdir, `.sandagent/approvals/.${question?.toolCallId}.final`))
    await answer(all.parked)
    await phase(all.parked, 'awake')
    // A busy machine may meet the link twice: when it stores the answer, and when it looks at the question.
    for (const error of all.errors) expect(['UNSAFE_PATH', 'UNREACHABLE']).toContain((error as AskError).code)
    expect(all.errors).not.toEqual([])
    await stopRun(all.parked, runId)
  })

  it('starts a run again when the connection was lost meanwhile', async () => {
    let losses = 1
    const all = await park('end', {
      restart(run) {
        if (losses-- > 0) throw new AskError('UNREACHABLE', 'The connection was lost')
        return { ...run, runner: [process.execPath, sandagent] }
      },
    })
    const { runId } = await start(all)
    await phase(all.parked, 'asleep')
    await answer(all.parked)
    await finished(all.parked, runId)
    expect(all.errors).toMatchObject([{ code: 'UNREACHABLE' }])
  })

  it('refuses everything when its host has ended the watch', async () => {
    const all = await park('freeze')
    await start(all)
    await phase(all.parked, 'asleep')
    const waiting = refusalOf(all.parked.close().then(() => all.parked.wake()))
    expect(await waiting).toBe('UNREACHABLE')
    expect(await refusalOf(answer(all.parked))).toBe('UNREACHABLE')
    const next = await all.again()
    await answer(next)
    await phase(next, 'awake')
  })

  it('can be parked after its record was repaired', async () => {
    const all = await park('freeze')
    await all.parked.close()
    await writeFile(join(all.folder, 'parked.json'), '{')
    expect(await refusalOf(all.again())).toBe('INVALID_FILE')
    await rm(join(all.folder, 'parked.json'))
    await all.again()
  })

  it('has one host', async () => {
    const all = await park('freeze')
    expect(await refusalOf(all.again())).toBe('CONFLICT')
    await all.parked.close()
    await all.again()
  })

  it.each([{ afterMs: -1 }, { afterMs: Number.NaN }, { wakeBeforeMs: -1 }, { unknown: 1 }])(
    'refuses %j',
    async (options) => {
      const all = await park('freeze')
      expect(await refusalOf(all.again(options as Partial<ParkOptions>))).toBe('INVALID_REQUEST')
    },
  )
})

/** The folder that a killed host leaves behind. The host itself is still there, so it gets a copy. */
async function leftBy({ folder }: Parked): Promise<string> {
  const left = await tempDir()
  await cp(folder, left, { recursive: true })
  await rm(join(left, 'owner-1.json'))
  return left
}

/** The code of the error that a promise is rejected with. */
async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    (value) => new Error(`it resolved to ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof AskError) return error.code
  throw error
}
