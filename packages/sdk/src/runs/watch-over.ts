import { type Clock, isSettled } from '@sandagent/core/internal'
import { channelOf, type HostOptions } from '../answers/sandbox-channel.ts'
import { attemptPaths } from '../run-records/run-paths.ts'
import type { ExitRecord, RunRecord } from '../run-records/run-records.ts'
import type { ProcessEnd } from '../sandbox/process.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { limitLog } from './limit-log.ts'

/** Limits the log, and records the end of a run. Only the process that started the run can do this. */
export async function watchOver(
  sandbox: RunSandbox,
  record: RunRecord,
  ended: Promise<ProcessEnd>,
  clock: Clock,
): Promise<void> {
  const gone = new AbortController()
  const noteEnd = async (): Promise<void> => {
    const { exitCode, signal, error } = await ended
    gone.abort()
    if (error) throw error
    const exit: ExitRecord = { exitCode, signal, endedAt: new Date(clock.now()).toISOString() }
    if (await isThere(sandbox, record))
      await sandbox.files.writeAtomic(
        attemptPaths(sandbox, record.runId, record.attempt).exit,
        JSON.stringify(exit),
      )
  }
  await Promise.all([noteEnd(), limitLog(sandbox, record, { signal: gone.signal, clock })])
}

/** Checks the receipts of a run's questions, in case no other host did. */
export async function compareReceipts(
  sandbox: RunSandbox,
  run: RunRecord,
  options: Pick<HostOptions, 'signingKeys' | 'onWarning' | 'clock'>,
): Promise<void> {
  if (!(await isThere(sandbox, run))) return
  const channel = channelOf(sandbox, options)
  for (const record of await channel.questions())
    if (record.runId === run.runId && isSettled(record)) await channel.read(record.toolCallId)
}

/** Whether the run still has its record: nothing is written for a removed run. */
const isThere = async (sandbox: RunSandbox, { runId, attempt }: RunRecord): Promise<boolean> =>
  (await sandbox.files.stat(attemptPaths(sandbox, runId, attempt).record)) !== null
