import {
  AskError,
  type ChannelWarning,
  type Clock,
  checkOptions,
  DEFAULT_PRUNE_AFTER_MS,
  type OptionNames,
  systemClock,
} from '@sandagent/core/internal'
import { stateFolders } from '@sandagent/files/internal'
import { attemptPaths, isRunId, runFolder } from '../run-records/run-paths.ts'
import { attemptsOf, latestRecord, orWhenRefused } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { claimNext } from './claim-start.ts'
import { listRuns, type Run, readRun } from './run.ts'

export interface PruneOptions {
  /** How long ago a run must have ended, in milliseconds. Default seven days. */
  olderThanMs?: number | undefined
  /** Called for runs whose record is damaged. They are removed, too. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<PruneOptions> = { olderThanMs: true, onWarning: 'function', clock: 'clock' }

/**
 * Removes the logs of old runs, and what starts have left that never began. Questions and answers stay.
 *
 * @returns the ids of the runs that were removed
 */
export async function pruneRuns(sandbox: RunSandbox, options: PruneOptions = {}): Promise<string[]> {
  checkOptions('pruneRuns: its options', options, NAMES)
  const { olderThanMs = DEFAULT_PRUNE_AFTER_MS, onWarning, clock = systemClock } = options
  const oldest = clock.now() - olderThanMs
  const runs = await listRuns(sandbox, { onWarning })
  const old = runs.filter(({ endedAt }) => endedAt !== undefined && Date.parse(endedAt) < oldest)
  const removed: string[] = []
  for (const run of old) if (await removeRun(sandbox, run, clock)) removed.push(run.runId)
  const names = (await sandbox.files.list(stateFolders(sandbox).runs)).filter(isRunId)
  const known = new Set(runs.map(({ runId }) => runId))
  for (const runId of names)
    if (!known.has(runId) && (await neverBegan(sandbox, runId, oldest)))
      await removeRun(sandbox, { runId, attempt: 0 }, clock)
  return removed
}

/** Whether a run has old claims of starts alone: its first start was prevented, or its host was killed. */
async function neverBegan(sandbox: RunSandbox, runId: string, oldest: number): Promise<boolean> {
  if ((await latestRecord(sandbox, runId).catch(orWhenRefused(undefined))) !== null) return false
  for (const attempt of await attemptsOf(sandbox, runId)) {
    const claim = await sandbox.files.stat(attemptPaths(sandbox, runId, attempt).claim)
    if (claim && claim.modifiedAt >= oldest) return false
  }
  return true
}

/** Removes a run unless somebody has started it again. Nobody can start it meanwhile. */
async function removeRun(
  sandbox: RunSandbox,
  { runId, attempt }: Pick<Run, 'runId' | 'attempt'>,
  clock: Clock,
): Promise<boolean> {
  const claim = await claimNext(sandbox, runId, attempt, clock).catch((error: unknown) => {
    if (error instanceof AskError && error.code === 'CONFLICT') return null
    throw error
  })
  if (!claim) return false
  try {
    const run = await readRun(sandbox, runId)
    const isOver = run ? run.attempt === attempt && run.state !== 'running' : attempt === 0
    const path = isOver ? runFolder(sandbox, runId) : attemptPaths(sandbox, runId, claim.attempt).claim
    await sandbox.files.remove(path)
    return isOver
  } finally {
    claim.release()
  }
}
