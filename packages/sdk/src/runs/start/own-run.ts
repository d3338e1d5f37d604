import { type Clock, checkOptions, type OptionNames, systemClock } from '@sandagent/core/internal'
import { createFileSafely, ownProcessHandle } from '@sandagent/files/internal'
import { attemptPaths } from '../../run-records/run-paths.ts'
import { MAX_LOG_BYTES, type RunRecord } from '../../run-records/run-records.ts'
import type { LocalSandbox } from '../../sandbox/local-sandbox.ts'
import { claimStart, orConflict } from '../claim-start.ts'

/** The log of a run in this process. */
export interface OwnRunLog {
  /** Adds events of the UI message stream. What is beyond 64 MiB is left out. */
  write(events: string): Promise<void>
  /** The run has ended. This process goes on. */
  close(): Promise<void>
}

type OwnRun = Pick<RunRecord, 'runId' | 'agent' | 'args' | 'prompt' | 'owner'> &
  Partial<Pick<RunRecord, 'metadata'>>

const NAMES: OptionNames<OwnRun> = {
  runId: true,
  agent: true,
  args: 'list',
  prompt: true,
  owner: true,
  metadata: true,
}

/**
 * Keeps a record and a log of a run in this process, where `listRuns` and an inbox find it, as those of `startRun`. Until the
 * log is closed, `stopRun` ends this process.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id, `CONFLICT` while the run goes on already, and errors of
 *   the disk
 */
export async function recordOwnRun(
  sandbox: LocalSandbox,
  request: OwnRun,
  options: { clock?: Clock | undefined } = {},
): Promise<OwnRunLog> {
  checkOptions('recordOwnRun: its options', options, { clock: 'clock' })
  checkOptions('recordOwnRun: its request', request, NAMES)
  const { clock = systemClock } = options
  const { runId } = request
  const process = await ownProcessHandle()
  const { attempt, release } = await claimStart(sandbox, runId, clock)
  const paths = attemptPaths(sandbox, runId, attempt)
  const record: RunRecord = {
    version: 1,
    metadata: {},
    ...request,
    attempt,
    startedAt: new Date(clock.now()).toISOString(),
    maxLogBytes: MAX_LOG_BYTES,
    process: process ?? '',
  }
  const text = JSON.stringify(record, null, 2)
  const written = sandbox.files.writeAtomic(paths.record, text, { exclusive: true })
  await orConflict(runId, written.finally(release))
  const log = await createFileSafely(sandbox.workdir, paths.stream).catch(async (error: unknown) => {
    // Nobody could say that this run has ended.
    await sandbox.files.remove(paths.record)
    throw error
  })
  let bytes = 0
  return {
    async write(events) {
      bytes += Buffer.byteLength(events)
      if (bytes <= MAX_LOG_BYTES) await log.appendFile(events)
    },
    async close() {
      const ended: RunRecord = { ...record, endedAt: new Date(clock.now()).toISOString() }
      try {
        await log.close()
      } finally {
        // Nothing is written for a removed run.
        if (await sandbox.files.stat(paths.record))
          await sandbox.files.writeAtomic(paths.record, JSON.stringify(ended, null, 2))
      }
    },
  }
}
