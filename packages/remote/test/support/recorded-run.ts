import type { DetachedPrograms, RunSandbox } from '@sandagent/sdk'
import { attemptPaths, type RunRecord } from '@sandagent/sdk/internal'
import { tempSandbox } from './temp-sandbox.ts'

/** A run `r` with real files. Its process `p1` goes on until `end`. */
export async function recordedRun(programs: Pick<DetachedPrograms, 'start'>) {
  const { files, workdir, spawn } = await tempSandbox()
  let isRunning = true
  const detached: DetachedPrograms = {
    isRunning: async (handle) => handle === 'p1' && isRunning,
    interrupt: async () => {},
    kill: async () => {},
    ...programs,
  }
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
    maxLogBytes: 1000,
  }
  const paths = attemptPaths(sandbox, record.runId, record.attempt)
  await files.writeAtomic(paths.record, JSON.stringify(record))
  const end = (): void => {
    isRunning = false
  }
  return { sandbox, record, paths, files, end }
}
