import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { listQuestions, type RunSandbox, recordOwnRun, submitAnswer } from '@sandagent/sdk'
import { createFakeClock, type FakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ParkOptions, parkSandbox } from '../../src/index.ts'
import { ask, LANGUAGE, picked, settle, tempSandbox } from '../support/temp-sandbox.ts'

const START = '2026-01-01T00:00:00.000Z'

async function parking(options: Partial<ParkOptions> = {}) {
  const local = await tempSandbox()
  const clock: FakeClock = createFakeClock(START)
  const folder = await tempDir()
  const log: string[] = []
  const errors: unknown[] = []
  const note = (name: string) => (): void => void log.push(name)
  const { workdir, stateFolder, sweepAfterMs, hostFolder, files, detached } = local
  const sandbox: RunSandbox = {
    ...{ workdir, stateFolder, sweepAfterMs, hostFolder, files, detached },
    spawn: (...call) => local.spawn(...call),
    connection: { pause: note('pause'), resume: note('resume') },
  }
  const times: Record<string, number> = {}
  const timed = (name: string) => async (): Promise<void> => {
    log.push(name)
    times[name] = clock.now() - Date.parse(START)
  }
  const open = async (more: Partial<ParkOptions> = {}) => {
    const parked = await parkSandbox(sandbox, {
      ...{ folder, afterMs: 10_000, clock, signingKeys: null },
      ...{ sleep: timed('sleep'), wake: timed('wake'), onError: (error: unknown) => errors.push(error) },
      ...{ ...options, ...more },
    })
    onTestFinished(() => parked.close())
    return parked
  }
  /** Lets the time go on until this holds, while the host only waits. One more timer is that of the folder's owner. */
  const until = (condition: () => void | Promise<void>, stepMs = 1000): Promise<void> =>
    vi.waitFor(async () => {
      if (clock.pending() > 1) clock.advance(stepMs)
      await condition()
    })
  /** Lets this time go by, and everything happen in it. */
  const pass = async (ms: number): Promise<void> => {
    const end = clock.now() + ms
    await until(() => expect(clock.now()).toBeGreaterThanOrEqual(end))
  }
  return { local, sandbox, clock, folder, log, errors, times, open, until, pass }
}

const answer = (toolCallId = 'q', status: 'completed' | 'pending' = 'completed') => ({
  toolCallId,
  responses: { q1: picked('Python') },
  status,
})

describe('a parked sandbox', () => {
  it('sleeps once nothing has changed for the given time, and wakes for the answer', async () => {
    const { local, log, times, open, until, errors } = await parking()
    await ask(local, 'q')
    const parked = await open()
    expect(parked).toMatchObject({ phase: 'awake', workdir: local.workdir })
    await until(() => expect(log).toContain('sleep'))
    expect(times.sleep).toBeGreaterThanOrEqual(10_000)
    expect(times.sleep).toBeLessThan(20_000)
    expect(parked.phase).toBe('asleep')
    expect(await listQuestions(parked, { signingKeys: null })).toMatchObject([{ toolCallId: 'q' }])
    await submitAnswer(parked, answer(), { signingKeys: null })
    await until(() => expect(parked.phase).toBe('awake'))
    expect(log).toEqual(['pause', 'sleep', 'wake', 'resume'])
    const path = '.sandagent/approvals/q.json'
    expect(await local.files.read(path)).toContain('Python')
    expect(errors).toEqual([])
  })

  it('stays awake without a question, and while something changes', async () => {
    const { local, log, open, until, pass, clock } = await parking()
    const parked = await open()
    await pass(40_000)
    await ask(local, 'q')
    for (const label of ['Python', 'TypeScript', 'Python', 'TypeScript']) {
      await pass(6000)
      const responses = { q1: picked(label) }
      await submitAnswer(parked, { ...answer('q', 'pending'), responses }, { signingKeys: null, clock })
    }
    expect(log).toEqual([])
    await until(() => expect(parked.phase).toBe('asleep'))
  })

  it('stays awake when its agent goes on while the questions are copied', async () => {
    const { local, log, open, pass, errors } = await parking()
    await ask(local, 'q')
    const { list } = local.files
    let copies = 0
    vi.spyOn(local.files, 'list').mockImplementation(async (folder) => {
      // The second copy is made while no other host can reach the sandbox.
      if (folder.endsWith('approvals') && ++copies === 2) await settle(local, 'q', {})
      return list(folder)
    })
    const parked = await open()
    await pass(60_000)
    expect(copies).toBe(2)
    expect([parked.phase, log, errors]).toEqual(['awake', [], []])
  })

  it('stays awake if a deadline is near, and wakes before one', async () => {
    const { local, log, times, open, until, pass, clock } = await parking({ wakeBeforeMs: 30_000 })
    const deadlineIn = (ms: number) => new Date(Date.parse(START) + ms).toISOString()
    const asked = (toolCallId: string, ms: number) =>
      ask(local, toolCallId, [LANGUAGE], { timeoutMs: ms, deadline: deadlineIn(ms), askedAt: START })
    await asked('far', 200_000)
    const parked = await open()
    await until(() => expect(log).toContain('sleep'))
    await until(() => expect(log).toContain('resume'))
    expect(times.wake).toBeGreaterThanOrEqual(170_000)
    expect(times.wake).toBeLessThan(190_000)
    await pass(20_000 - (clock.now() % 1000))
    expect([parked.phase, log]).toEqual(['awake', ['pause', 'sleep', 'wake', 'resume']])
  })

  it('wakes for what needs the sandbox itself', async () => {
    const { local, log, open, until } = await parking()
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect(log).toContain('sleep'))
    const [waking, writing] = [parked.wake(), parked.files.writeAtomic('notes', 'text')]
    await until(() => expect(log).toContain('resume'))
    await Promise.all([waking, writing])
    expect(await local.files.read('notes')).toBe('text')
  })

  it('is kept alive about every minute while a run goes on, and waits for the run', async () => {
    const kept: number[] = []
    const { local, log, open, pass, clock } = await parking({
      keepAlive: async () => void kept.push(clock.now()),
      mayPark: ({ runId }) => runId !== 'r',
    })
    const request = { runId: 'r', agent: 'command', args: [], prompt: 'Build' }
    const own = await recordOwnRun(local, request, { clock })
    onTestFinished(() => own.close())
    await ask(local, 'q', [LANGUAGE], { runId: 'r' })
    await open()
    await pass(200_000)
    expect(log).toEqual([])
    expect(kept.length).toBeGreaterThanOrEqual(3)
    expect(kept.length).toBeLessThanOrEqual(5)
  })

  it('is not kept alive without a run', async () => {
    const keepAlive = vi.fn(async () => {})
    const { open, pass } = await parking({ keepAlive })
    await open()
    await pass(130_000)
    expect(keepAlive).not.toHaveBeenCalled()
  })

  it('stays awake for a run that asks nothing', async () => {
    const { local, log, open, pass, clock } = await parking()
    const own = await recordOwnRun(local, { runId: 'r', agent: 'c', args: [], prompt: '' }, { clock })
    onTestFinished(() => own.close())
    await ask(local, 'q')
    await open()
    await pass(40_000)
    expect(log).toEqual([])
  })

  it('is woken again if it could not be put to sleep', async () => {
    const failure = new Error('no provider')
    let failures = 1
    const { local, log, open, until, errors } = await parking({
      sleep: async () => {
        if (failures-- > 0) throw failure
      },
    })
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect([parked.phase, log.length]).toEqual(['awake', 3]))
    expect([errors, log]).toEqual([[failure], ['pause', 'wake', 'resume']])
  })

  it('is asked to wake again after pauses that grow, until that works', async () => {
    const tries: number[] = []
    let failures = 5
    const { local, open, until, errors, clock } = await parking({
      wake: async () => {
        tries.push(clock.now())
        if (failures-- > 0) throw new Error('no provider')
      },
    })
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect(parked.phase).toBe('asleep'))
    const waking = parked.wake()
    await until(() => expect(parked.phase).toBe('awake'), 100)
    await waking
    expect(errors).toHaveLength(5)
    const pauses = tries.slice(1).map((time, index) => time - (tries[index] as number))
    for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** index)
    expect(pauses[0]).toBeLessThan(1900)
    expect(pauses[2]).toBeLessThan(7900)
  })

  it('is gone when its provider says so', async () => {
    const gone = new AskError('GONE', 'This machine was deleted')
    const { local, open, until, errors, folder, log } = await parking({ wake: () => Promise.reject(gone) })
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect(parked.phase).toBe('asleep'))
    const waking = parked.wake().catch((error: unknown) => error)
    await until(() => expect(parked.phase).toBe('gone'))
    expect(await waking).toMatchObject({ code: 'GONE' })
    expect(errors).toEqual([gone])
    expect(await listQuestions(parked, { signingKeys: null })).toMatchObject([{ toolCallId: 'q' }])
    await expect(submitAnswer(parked, answer(), { signingKeys: null })).rejects.toMatchObject({
      code: 'GONE',
    })
    expect(log).not.toContain('resume')
    expect(JSON.parse(await readFile(join(folder, 'parked.json'), 'utf8'))).toMatchObject({
      state: 'gone',
      processes: [],
      deadline: null,
    })
  })

  it('does not wait for a provider for more than five minutes', async () => {
    const { local, open, until, errors, clock } = await parking({ sleep: () => new Promise(() => {}) })
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect(parked.phase).toBe('asleep'))
    const since = clock.now()
    await until(() => expect(errors).toHaveLength(1), 20_000)
    expect(clock.now() - since).toBeGreaterThanOrEqual(280_000)
    expect(errors).toMatchObject([{ code: 'UNREACHABLE', message: expect.stringContaining('5 minutes') }])
    await until(() => expect(parked.phase).toBe('awake'))
  })

  it('is woken again when a sleep takes effect after it was given up', async () => {
    let fallAsleep = (): void => {}
    const sleep = () =>
      new Promise<void>((resolve) => {
        fallAsleep = resolve
      })
    const { local, log, open, until } = await parking({ sleep })
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect(parked.phase).toBe('asleep'))
    await until(() => expect(log).toContain('wake'), 20_000)
    await until(() => expect(parked.phase).toBe('awake'))
    expect(log).toEqual(['pause', 'wake', 'resume'])
    fallAsleep()
    await vi.waitFor(() => expect(log).toEqual(['pause', 'wake', 'resume', 'wake']))
  })

  it('is put to sleep again by the next host, which finds what the first one kept', async () => {
    const { local, log, open, until } = await parking()
    await ask(local, 'q')
    const first = await open()
    await expect(open()).rejects.toMatchObject({ code: 'CONFLICT' })
    await until(() => expect(log).toContain('sleep'))
    await first.close()
    log.length = 0
    const second = await open()
    await vi.waitFor(() => expect(log).toEqual(['pause', 'sleep']))
    expect(second.phase).toBe('asleep')
    await submitAnswer(second, answer(), { signingKeys: null })
    await until(() => expect(log.slice(2)).toEqual(['wake', 'resume']))
  })

  it('is left as it is by a host that ends', async () => {
    const { local, log, open, until, clock } = await parking()
    await ask(local, 'q')
    const parked = await open()
    await until(() => expect(log).toContain('sleep'))
    const waking = parked.wake().catch((error: unknown) => error)
    await parked.close()
    expect(await waking).toMatchObject({ code: 'UNREACHABLE' })
    const { length } = log
    clock.advance(100_000)
    expect(log).toHaveLength(length)
    expect(clock.pending()).toBe(0)
  })

  it.each([
    ['afterMs', -1],
    ['afterMs', Number.POSITIVE_INFINITY],
    ['afterMs', '5'],
    ['wakeBeforeMs', -1],
    ['wakeBeforeMs', Number.NaN],
  ])('cannot have %s of %s', async (name, value) => {
    const { open } = await parking()
    await expect(open({ [name]: value } as never)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: name }],
    })
  })
})
