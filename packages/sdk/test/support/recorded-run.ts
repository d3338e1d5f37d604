import { vi } from 'vitest'
import type { RunSandbox } from '../../src/index.ts'
import { type AttemptPaths, attemptPaths } from '../../src/run-records/run-paths.ts'
import type { RunRecord } from '../../src/run-records/run-records.ts'
import type { DetachedPrograms } from '../../src/sandbox/programs/detached-programs.ts'
import { tempSandbox } from './temp-sandbox.ts'

/** A run `r` with real files. Its process is what the test says, and ends when it is killed. */
export async function recordedRun({
  record: more,
  ...programs
}: { record?: Partial<RunRecord> } & Partial<DetachedPrograms> = {}) {
  const { files, workdir, spawn } = await tempSandbox()
  let isRunning = true
  const end = (): void => {
    isRunning = false
  }
  const kill = vi.fn(async (_handle: string) => end())
  const interrupt = vi.fn(async (_handle: string) => {})
  const detached: DetachedPrograms = {
    start: () => Promise.reject(new Error('Nothing is started here')),
    isRunning: async (handle) => handle === 'p1' && isRunning,
    interrupt,
    kill,
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
    ...more,
  }
  const paths: AttemptPaths = attemptPaths(sandbox, record.runId, record.attempt)
  await files.writeAtomic(paths.record, JSON.stringify(record))
  return { sandbox, record, paths, files, kill, interrupt, end }
}
