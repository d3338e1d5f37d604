import { type ChannelWarning, type Clock, systemClock } from '@sandagent/core'
import { runFolder } from '../run-records/run-paths.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { listRuns } from './run.ts'

export interface PruneOptions {
  /** How long ago a run must have ended, in milliseconds. Default seven days. */
  olderThanMs?: number | undefined
  /** Called for runs whose record is damaged. They are removed, too. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
  clock?: Clock | undefined
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** Removes the logs of old runs, but not their questions and answers. Resolves to the ids of the runs removed. */
export async function pruneRuns(
  sandbox: RunSandbox,
  { olderThanMs = WEEK_MS, clock = systemClock, ...options }: PruneOptions = {},
): Promise<string[]> {
  const oldest = clock.now() - olderThanMs
  const runs = await listRuns(sandbox, options)
  const old = runs.filter(({ endedAt }) => endedAt !== undefined && Date.parse(endedAt) < oldest)
  for (const { runId } of old) await sandbox.files.remove(runFolder(sandbox, runId))
  return old.map(({ runId }) => runId)
}
