import { backOffMs, type Clock, failedWith, isSettled, sleep } from '@sandagent/core/internal'
import { channelOf, type HostOptions } from '../answers/sandbox-channel.ts'
import type { ExitRecord } from '../run-records/run-ends.ts'
import { attemptPaths } from '../run-records/run-paths.ts'
import type { RunRecord } from '../run-records/run-records.ts'
import type { ProcessEnd } from '../sandbox/programs/process.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { stopAttempt } from './stop-run.ts'

const RETRY = [1000, 60_000] as const

/**
 * Limits the log, and records the end of a run. Only the process that started the run can do this. An end that does not fit on
 * the disk is recorded later.
 *
 * @param onError gets the failure of a write that is tried again
 * @returns how the process of the run ended
 */
export async function watchOver(
  sandbox: RunSandbox,
  record: RunRecord,
  ended: Promise<ProcessEnd>,
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): Promise<ExitRecord> {
  const gone = new AbortController()
  const noteEnd = async (): Promise<ExitRecord> => {
    const { exitCode, signal, error } = await ended
    gone.abort()
    if (error) throw error
    const exit: ExitRecord = { exitCode, signal, endedAt: new Date(clock.now()).toISOString() }
    const write = async (): Promise<void> => {
      if (await isThere(sandbox, record))
        await sandbox.files.writeAtomic(
          attemptPaths(sandbox, record.runId, record.attempt).exit,
          JSON.stringify(exit),
        )
    }
    await write().catch((failure: unknown) => {
      if (!hasNoRoom(failure)) throw failure
      onError(failure)
      void writeLater(write, clock)
    })
    return exit
  }
  const [exit] = await Promise.all([noteEnd(), limitLog(sandbox, record, { signal: gone.signal, clock })])
  return exit
}

const hasNoRoom = (error: unknown): boolean => failedWith(error, ['ENOSPC', 'EDQUOT'])

/** Tries a write again while the disk is full, as long as this process runs. */
async function writeLater(write: () => Promise<void>, clock: Clock): Promise<void> {
  for (let failures = 1; ; failures++) {
    await sleep(clock, backOffMs(failures, ...RETRY))
    const failure = await write().then(
      () => null,
      (error: unknown) => error,
    )
    if (!hasNoRoom(failure)) return
  }
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

const LOOK_MS = 500

/** How long a run that outgrew its limit may take to end by itself, in milliseconds. */
const GRACE_MS = 500

/** Stops a run whose outputs outgrow the limit. It checks at intervals, until the signal aborts. */
export async function limitLog(
  sandbox: RunSandbox,
  record: RunRecord,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<void> {
  const { runId, attempt, process, maxLogBytes } = record
  const { stream, errors } = attemptPaths(sandbox, runId, attempt)
  while (!signal.aborted) {
    await sandbox.detached.until?.(process, { files: [stream, errors], bytes: maxLogBytes, signal })
    if (signal.aborted) return
    const stats = await Promise.all([stream, errors].map((path) => sandbox.files.stat(path)))
    const bytes = stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0)
    if (bytes > maxLogBytes) {
      await stopAttempt(sandbox, record, {
        reason: `It printed more than ${maxLogBytes} bytes`,
        graceMs: GRACE_MS,
        clock,
      })
      return
    }
    if (sandbox.detached.until) return // The run has ended.
    await sleep(clock, LOOK_MS, signal)
  }
}
