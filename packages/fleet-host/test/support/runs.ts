import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import {
  attemptPaths,
  LocalSandbox,
  type Run,
  type RunRecord,
  type RunSandbox,
  readRun,
  startRun,
  stopRun,
  streamRun,
} from '@sandagent/sdk/internal'
import { onTestFinished, vi } from 'vitest'

/** A sandbox in a folder of its own, removed after the test. Its programs are not isolated. */
export const tempSandbox = async (): Promise<LocalSandbox> =>
  new LocalSandbox({ workdir: join(await tempDir(), 'workdir'), isolation: 'none', onIsolation: () => {} })

/** Starts a run that is stopped, and its end noted, before the test's sandbox goes. */
export async function started(sandbox: LocalSandbox, { agent }: { agent: string }): Promise<Run> {
  const run = await startRun(sandbox, { prompt: 'Go', runner, agent })
  onTestFinished(async () => {
    await stopRun(sandbox, run.runId, { graceMs: 0 })
    await noted(sandbox, run.runId)
  })
  return run
}

/** Resolves once a run has ended and its host has noted how. */
export const noted = (sandbox: LocalSandbox, runId: string): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = await readRun(sandbox, runId)
      if (run?.exitCode === undefined) throw new Error(`The end of ${runId} is not noted`)
      return run
    },
    { interval: 20 },
  )

/** The texts of the events that the stream of a run gives until it ends. Comments are left out. */
export async function eventsOf(sandbox: LocalSandbox, runId: string): Promise<string[]> {
  const text = await new Response(await streamRun(sandbox, runId)).text()
  return text.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'))
}

/** A run `r` with real files. Its process is there until the test ends it. */
export async function recordedRun() {
  const { files, workdir, spawn } = await tempSandbox()
  let isRunning = true
  const end = (): void => {
    isRunning = false
  }
  const nothing = async (): Promise<never> => {
    throw new Error('Nothing is started or stopped here')
  }
  const detached = { start: nothing, interrupt: nothing, kill: nothing, isRunning: async () => isRunning }
  const sandbox: RunSandbox = { files, workdir, spawn, detached }
  const record: RunRecord = {
    version: 1,
    runId: 'r',
    attempt: 1,
    agent: 'command',
    args: [],
    prompt: 'Go',
    metadata: {},
    startedAt: '2026-01-01T00:00:00.000Z',
    process: 'p1',
    maxLogBytes: 2 ** 30,
  }
  const paths = attemptPaths(sandbox, record.runId, record.attempt)
  await files.writeAtomic(paths.record, JSON.stringify(record))
  return { sandbox, record, paths, files, end }
}

/** The error that a promise is rejected with. */
export async function refusalOf(promise: Promise<unknown>): Promise<AskError> {
  const error = await promise.then(
    (value) => new Error(`it resolved to ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof AskError) return error
  throw error
}
