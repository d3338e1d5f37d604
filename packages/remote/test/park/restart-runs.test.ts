import { AskError } from '@sandagent/core'
import type { DetachedPrograms, RunRequest } from '@sandagent/sdk/internal'
import { attemptPaths } from '@sandagent/sdk/internal'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { restartRuns } from '../../src/park/restart-runs.ts'
import { recordedRun } from '../support/recorded-run.ts'

const request: RunRequest = { runId: 'r', agent: 'command', prompt: 'Go on', runner: ['runner'] }

/** A run whose process the sleep has ended. Each of its programs begins at once. */
async function endedRun(start: (handle: string) => void | Promise<void> = () => {}) {
  const begun: string[] = []
  const detached: Pick<DetachedPrograms, 'start'> = {
    async start(command, _, { beforeStart }) {
      await start(command)
      await beforeStart?.('p2')
      begun.push(command)
      return { handle: 'p2', ended: new Promise(() => {}) }
    },
  }
  const run = await recordedRun(detached)
  run.end()
  const errors: unknown[] = []
  const restart = vi.fn<() => RunRequest | null>(() => request)
  const again = (processes = ['p1']) =>
    restartRuns(run.sandbox, processes, {
      ...{ restart, signingKeys: null, clock: createFakeClock() },
      onError: (error) => errors.push(error),
    })
  return { ...run, begun, errors, restart, again }
}

describe('a run whose process the sleep has ended', () => {
  it('is started again with the request that `restart` gives', async () => {
    const { again, begun, errors, restart } = await endedRun()
    await again()
    expect([begun, errors]).toEqual([['runner'], []])
    expect(restart.mock.calls).toEqual([[expect.objectContaining({ runId: 'r', state: 'crashed' })]])
  })

  it('is left as it is when it ended before the sleep, when it was stopped, and when nothing is to start', async () => {
    const { again, files, paths, begun, restart } = await endedRun()
    await again(['p9'])
    restart.mockReturnValueOnce(null)
    await again()
    await files.writeAtomic(paths.stop, '{}')
    await again()
    expect([begun, restart.mock.calls.length]).toEqual([[], 1])
  })

  it('does not begin when somebody stops it meanwhile, and leaves nothing of the start', async () => {
    const stop = (): Promise<void> => run.files.writeAtomic(run.paths.stop, '{}')
    const run = await endedRun(stop)
    await run.again()
    expect([run.begun, run.errors]).toEqual([[], []])
    expect(await run.files.list('.sandagent/runs/r')).toEqual(['1'])
  })

  it('that somebody prevents is no failure', async () => {
    const prevent = (): Promise<void> => {
      const record = JSON.stringify({ version: 1, runId: 'r', attempt: 2, abandoned: true })
      return run.files.writeAtomic(attemptPaths(run.sandbox, 'r', 2).record, record, { exclusive: true })
    }
    const run = await endedRun(prevent)
    await run.again()
    expect([run.begun, run.errors]).toEqual([[], []])
  })

  it('is tried again after a lost connection, and not after another failure', async () => {
    const lost = new AskError('UNREACHABLE', 'The connection is lost')
    const away = await endedRun(() => Promise.reject(lost))
    await expect(away.again()).rejects.toBe(lost)
    const failure = new Error('no runner')
    const { again, errors } = await endedRun(() => Promise.reject(failure))
    await again()
    expect(errors).toEqual([failure])
  })

  it('is started again when its last start never began, and is left when that start has printed, or its end was seen', async () => {
    const { sandbox, record, files, again, begun } = await endedRun()
    const next = attemptPaths(sandbox, 'r', 2)
    await files.writeAtomic(next.record, JSON.stringify({ ...record, attempt: 2, process: 'p9' }))
    for (const path of [next.stream, next.errors, next.exit]) {
      await files.writeAtomic(path, 'something')
      await again()
      await files.writeAtomic(path, '')
    }
    expect(begun).toEqual([])
    await again(['p8'])
    expect(begun).toEqual([])
    await again()
    expect(begun).toEqual(['runner'])
  })

  it('is left when it had ended before, in a process that went on', async () => {
    const { record, files, paths, again, begun } = await endedRun()
    const endedAt = '2026-01-01T00:00:01.000Z'
    await files.writeAtomic(paths.record, JSON.stringify({ ...record, endedAt }))
    await again()
    expect(begun).toEqual([])
  })

  it('does not begin when somebody else starts it meanwhile', async () => {
    const startByOther = (): Promise<void> => {
      const record = JSON.stringify({ ...run.record, attempt: 2, process: 'p9' })
      return run.files.writeAtomic(attemptPaths(run.sandbox, 'r', 2).record, record)
    }
    const run = await endedRun(startByOther)
    await run.again()
    expect([run.begun, run.errors]).toEqual([[], []])
  })

  it.each([
    ['read', 'run.json'],
    ['stat', 'stop.json'],
  ] as const)('is tried again when the connection is lost during the %s of %s', async (call, name) => {
    const { again, begun, files } = await endedRun()
    const whole = files[call]
    vi.spyOn(files, call).mockImplementation(async (path) => {
      if (path.endsWith(name)) throw new AskError('UNREACHABLE', 'The connection is lost')
      return whole(path) as never
    })
    await expect(again()).rejects.toMatchObject({ code: 'UNREACHABLE' })
    vi.restoreAllMocks()
    await again()
    expect(begun).toEqual(['runner'])
  })
})
