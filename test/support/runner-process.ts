import { LocalSandbox, listRuns, type Run } from '@sandagent/sdk'
import { expect, vi } from 'vitest'

/** The last run of a workdir. */
async function lastRun(workdir: string): Promise<Run> {
  const run = (await listRuns(new LocalSandbox({ workdir }))).at(-1)
  if (!run) throw new Error('Nothing runs')
  return run
}

/** The number of the process that does a run's work. */
export async function runnerPid(workdir: string): Promise<number> {
  const { runId, attempt } = await lastRun(workdir)
  const record = await new LocalSandbox({ workdir }).files.read(
    `.sandagent/runs/${runId}/${attempt}/run.json`,
  )
  return Number(JSON.parse(record as string).process.split(' ')[0])
}

/** Resolves once the last run of a workdir is like this. */
export const ended = (workdir: string, run: Partial<Run>): Promise<void> =>
  vi.waitFor(async () => expect(await lastRun(workdir)).toMatchObject(run))
