import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { type LocalSandbox, type Run, type RunRequest, readRun, startRun, stopRun } from '@sandagent/sdk'
import { onTestFinished, vi } from 'vitest'

/** Starts a run that is stopped, and its end noted, before the test's sandbox goes. */
export async function started(
  sandbox: LocalSandbox,
  request: Partial<RunRequest> & { agent: string },
): Promise<Run> {
  const run = await startRun(sandbox, { prompt: 'Go', runner, ...request })
  onTestFinished(async () => {
    if ((await readRun(sandbox, run.runId)) === null) return
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
