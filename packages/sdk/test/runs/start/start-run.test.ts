import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addObserver, type Operation } from '@sandagent/core/internal'
import { processHandle } from '@sandagent/files/internal'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createSigningKey,
  type LocalSandbox,
  listRuns,
  parseSigningKeys,
  type RunRequest,
  readRun,
  type StartOptions,
  startRun,
  stopRun,
  submitAnswer,
} from '../../../src/index.ts'
import { abandonStart, latestRecord } from '../../../src/run-records/run-records.ts'
import { chunksIn, eventsOf, noted, started } from '../../support/runs.ts'
import { ask, LANGUAGE, refusalOf, settle, tempSandbox } from '../../support/temp-sandbox.ts'

describe('startRun', () => {
  it('starts the runner in the workdir, with the prompt, the options and the environment it is given', async () => {
    const sandbox = await tempSandbox()
    const run = await started(sandbox, {
      agent: 'finishes',
      args: ['--say', '$HOME *'],
      prompt: '--help; "x"',
      env: { GREETING: 'hi' },
    })
    expect(run).toMatchObject({
      agent: 'finishes',
      args: ['--say', '$HOME *'],
      prompt: '--help; "x"',
      attempt: 1,
    })
    expect(run.runId).toMatch(/^run-[0-9a-f]{16}$/)
    expect(chunksIn(await eventsOf(sandbox, run.runId))).toContainEqual({
      type: 'data-run',
      data: { prompt: '--help; "x"', say: '$HOME *', cwd: sandbox.workdir, greeting: 'hi' },
    })
    expect(await noted(sandbox, run.runId)).toMatchObject({ state: 'finished', exitCode: 0, signal: null })
  })

  it('tells of receipts of answers that nobody gave or signed, once the run has ended', async () => {
    const sandbox = await tempSandbox()
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const warnings: unknown[] = []
    for (const [id, keys, runId] of [
      ['signed', signingKeys, 'r'],
      ['forged', null, 'r'],
      ['never-given', undefined, 'r'],
      ['of-another-run', undefined, 'x'],
    ] as const) {
      await ask(sandbox, id, [LANGUAGE], { runId })
      if (keys !== undefined)
        await submitAnswer(sandbox, { toolCallId: id, status: 'declined' }, { signingKeys: keys })
      await settle(sandbox, id, { state: 'declined', revision: 1 })
    }
    const request = { agent: 'finishes', prompt: 'Go', runner, runId: 'r' }
    await startRun(sandbox, request, { signingKeys, onWarning: (warning) => warnings.push(warning) })
    await noted(sandbox, 'r')
    const disputed = (toolCallId: string) => ({ code: 'DISPUTED_RECEIPT', toolCallId })
    await vi.waitFor(() => expect(warnings).toMatchObject([disputed('forged'), disputed('never-given')]))
  })

  it('keeps its files for this user alone, and no environment in them', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'finishes', env: { GREETING: 'a secret' } })
    await noted(sandbox, runId)
    const folder = join(sandbox.workdir, '.sandagent/runs', runId, '1')
    for (const name of ['run.json', 'stream.sse', 'stderr.log', 'exit.json'])
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600)
    expect(await sandbox.files.read(`.sandagent/runs/${runId}/1/run.json`)).not.toContain('a secret')
  })

  it('refuses ids that could lead elsewhere, before it touches anything', async () => {
    const sandbox = await tempSandbox()
    const ids = [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      '/etc',
      'a\0',
      '-rf',
      '_',
      '.hidden',
      'a.b',
      'ü',
      'a\n',
    ]
    for (const runId of [...ids, 'x'.repeat(101)]) {
      const refusal = await refusalOf(startRun(sandbox, { agent: 'finishes', prompt: '', runner, runId }))
      expect([refusal.code, refusal.faults[0]?.path], runId).toEqual(['INVALID_REQUEST', 'runId'])
      expect((await refusalOf(readRun(sandbox, runId))).code, runId).toBe('INVALID_REQUEST')
    }
    expect(await sandbox.files.list('.')).toEqual([])
  })

  it('refuses a run that goes on already', async () => {
    const sandbox = await tempSandbox()
    await started(sandbox, { agent: 'waits', runId: 'r' })
    expect(await refusalOf(started(sandbox, { agent: 'waits', runId: 'r' }))).toMatchObject({
      code: 'CONFLICT',
      facts: { runId: 'r' },
    })
  })

  it('starts a run once, however many ask for it at a time', async () => {
    const sandbox = await tempSandbox()
    const starts = await Promise.allSettled(
      Array.from({ length: 5 }, () => started(sandbox, { agent: 'waits', runId: 'r' })),
    )
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const start of starts)
      if (start.status === 'rejected') expect(start.reason).toMatchObject({ code: 'CONFLICT' })
    expect(await readRun(sandbox, 'r')).toMatchObject({ attempt: 1, state: 'running' })
  })

  it('leaves nothing of a run whose runner does not exist', async () => {
    const sandbox = await tempSandbox()
    const refusal = await refusalOf(
      startRun(sandbox, { agent: 'a', prompt: '', runId: 'r', runner: ['no-such-program'] }),
    )
    expect(refusal).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('no-such-program cannot be started: there is no such program'),
    })
    expect(await readRun(sandbox, 'r')).toBeNull()
    expect(await started(sandbox, { agent: 'finishes', runId: 'r' })).toMatchObject({ attempt: 1 })
  })

  it('refuses what no program can be given, or what nobody could read later', async () => {
    const sandbox = await tempSandbox()
    const refusedWith = async (request: Partial<RunRequest>) =>
      (await refusalOf(startRun(sandbox, { agent: 'finishes', prompt: '', runner, ...request }))).code
    expect(await refusedWith({ prompt: 'a\0b' })).toBe('INVALID_REQUEST')
    expect(await refusedWith({ metadata: { long: 'x'.repeat(600_000) } })).toBe('TOO_LARGE')
    expect(await listRuns(sandbox)).toEqual([])
  })

  it('starts a run that has ended anew, with a log of its own', async () => {
    const sandbox = await tempSandbox()
    const first = await started(sandbox, { agent: 'crashes', runId: 'r', metadata: { chat: '7' } })
    expect(await noted(sandbox, 'r')).toMatchObject({ state: 'crashed', signal: 'SIGKILL' })
    const again = await started(sandbox, { ...first, agent: 'finishes' })
    expect(again).toMatchObject({ runId: 'r', prompt: 'Go', metadata: { chat: '7' }, attempt: 2 })
    expect(chunksIn(await eventsOf(sandbox, 'r')).map(({ type }) => type)).toEqual([
      'start',
      'data-run',
      'finish',
    ])
    expect(await listRuns(sandbox)).toHaveLength(1)
  })

  const claim = '.sandagent/runs/r/1.json'
  const at = (time: number) => ({ clock: { now: () => time, after: () => () => {} } })
  const again = (sandbox: LocalSandbox, options: StartOptions = {}) =>
    startRun(sandbox, { agent: 'finishes', prompt: '', runner, runId: 'r' }, options)

  it('goes past a start whose host is gone, at once', async () => {
    const sandbox = await tempSandbox()
    const [, , system] = (await processHandle(process.pid)).split(' ')
    await sandbox.files.writeAtomic(claim, JSON.stringify({ host: `${process.pid} 1 ${system}` }))
    await sandbox.files.writeAtomic('.sandagent/runs/r/1/stream.sse', '')
    expect(await readRun(sandbox, 'r')).toBeNull()
    expect(await started(sandbox, { agent: 'finishes', runId: 'r' })).toMatchObject({ attempt: 2 })
    await noted(sandbox, 'r')
  })

  it('waits for a start whose host cannot be seen from here, but not when the clock was set back', async () => {
    for (const [ms, isRefused] of [
      [0, true],
      [11_000, false],
      [-3_600_000, false],
    ] as const) {
      const sandbox = await tempSandbox()
      await sandbox.files.writeAtomic(claim, JSON.stringify({ host: '7 1 another-machine/boot/pid:[1]' }))
      const options = at(((await sandbox.files.stat(claim))?.modifiedAt ?? 0) + ms)
      if (isRefused) expect((await refusalOf(again(sandbox, options))).code).toBe('CONFLICT')
      else {
        expect(await again(sandbox, options)).toMatchObject({ attempt: 2 })
        await noted(sandbox, 'r')
      }
    }
  })

  it('starts nothing when another host passed it over while it was slow', async () => {
    const sandbox = await tempSandbox()
    const { files, detached } = sandbox
    const slow = {
      ...sandbox,
      workdir: sandbox.workdir,
      spawn: sandbox.spawn,
      files,
      detached: {
        ...detached,
        start: async (...[command, args, options]: Parameters<typeof detached.start>) => {
          await abandonStart(sandbox, 'r', 1)
          return detached.start(command, args, options)
        },
      },
    }
    expect((await refusalOf(again(slow as LocalSandbox))).code).toBe('CONFLICT')
    expect(await files.read('.sandagent/runs/r/1/stream.sse')).toBe('')
    expect(await listRuns(sandbox)).toEqual([])
    expect(await started(sandbox, { agent: 'finishes', runId: 'r' })).toMatchObject({ attempt: 2 })
    await noted(sandbox, 'r')
  })

  it('takes a run for what it is, however the clock was set since it started', async () => {
    const sandbox = await tempSandbox()
    const late = at(Date.now() + 3_600_000)
    const run = await startRun(sandbox, { agent: 'waits', prompt: '', runner, runId: 'r' }, late)
    expect(Date.parse(run.startedAt)).toBeGreaterThan(Date.now())
    expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'running' })
    expect((await refusalOf(again(sandbox))).code).toBe('CONFLICT')
    await stopRun(sandbox, 'r', { graceMs: 0 })
    await noted(sandbox, 'r')
    expect(await started(sandbox, { agent: 'finishes', runId: 'r' })).toMatchObject({ attempt: 2 })
    await noted(sandbox, 'r')
  })

  it('refuses values of the wrong type, before it writes or starts anything', async () => {
    const sandbox = await tempSandbox()
    const faults = {
      'metadata.chat': { metadata: { chat: 7 } },
      metadata: { metadata: 'chat' },
      prompt: { prompt: undefined },
      agent: { agent: '' },
      'args.0': { args: [1] },
      runner: { runner: [] },
      'env.KEY': { env: { KEY: 1 } },
      runId: { runId: 7 },
      maxLogBytes: { maxLogBytes: '1' },
    }
    for (const [path, wrong] of Object.entries(faults)) {
      const request = { agent: 'finishes', prompt: '', runner, ...wrong } as unknown as RunRequest
      const refusal = await refusalOf(startRun(sandbox, request))
      expect([refusal.code, refusal.faults[0]?.path], path).toEqual(['INVALID_REQUEST', path])
    }
    expect(await sandbox.files.list('.')).toEqual([])
  })

  it('tells its caller how the run ended', async () => {
    const sandbox = await tempSandbox()
    const ends: unknown[] = []
    const request = { agent: 'fails', prompt: '', runner }
    await startRun(sandbox, request, { onEnd: ({ state, reason }) => ends.push({ state, reason }) })
    await vi.waitFor(() => expect(ends).toEqual([{ state: 'failed', reason: 'There is no such model' }]))
  })

  it('stops a run that prints too much, and says so', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'floods', maxLogBytes: 100_000 })
    expect(await noted(sandbox, runId)).toMatchObject({
      state: 'stopped',
      reason: 'It printed more than 100000 bytes',
    })
  })

  it('reports a failure of what its caller does at the end of a run', async () => {
    const sandbox = await tempSandbox()
    const failure = new Error('A defect')
    const errors: unknown[] = []
    const { runId } = await startRun(
      sandbox,
      { agent: 'finishes', prompt: '', runner },
      {
        onEnd: () => {
          throw failure
        },
        onError: (error) => errors.push(error),
      },
    )
    await noted(sandbox, runId)
    await vi.waitFor(() => expect(errors).toEqual([failure]))
  })

  it('records the ids of the keys that its answers are signed with, and who has started it', async () => {
    const sandbox = await tempSandbox()
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const start = async (keys: typeof signingKeys | null, owner?: string) => {
      const request = { agent: 'finishes', prompt: '', runner, owner }
      const { runId } = await startRun(sandbox, request, { signingKeys: keys })
      await noted(sandbox, runId)
      return latestRecord(sandbox, runId)
    }
    const [key] = signingKeys.publicKeys.keys
    expect(await start(signingKeys, 'ada')).toMatchObject({ publicKeyIds: [key?.kid], owner: 'ada' })
    const plain = await start(null)
    expect(plain).not.toHaveProperty('publicKeyIds')
    expect(plain).not.toHaveProperty('owner')
    expect(plain).toMatchObject({ maxLogBytes: 64 * 1024 * 1024, args: [], metadata: {} })
  })

  it('passes its trace on to the runner, and tells observers of its start', async () => {
    const sandbox = await tempSandbox()
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
    const seen: unknown[] = []
    const end = (ending: unknown) => void seen.push(ending)
    const begin = (operation: Operation) => {
      seen.push(operation)
      return { traceparent, end }
    }
    onTestFinished(addObserver({ begin }))
    const start = vi.spyOn(sandbox.detached, 'start')
    const { runId } = await started(sandbox, { agent: 'finishes' })
    expect(start.mock.calls[0]?.[2].env).toMatchObject({ TRACEPARENT: traceparent })
    expect(seen).toEqual([{ name: 'start', runId, agent: 'finishes' }, {}])
    await noted(sandbox, runId)
  })
})
