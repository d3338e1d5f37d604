import { type Clock, sleep, systemClock } from '@sandagent/core/internal'
import { attemptPaths } from '../run-records/run-paths.ts'
import { attemptsOf, latestRecord, type RunRecord, type StopRecord } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { describeRun, type Run, unknownRun } from './run.ts'
import { isBeingStarted, STARTING_MS } from './start/claim-start.ts'

export interface StopOptions {
  /** The reason, which the run keeps. */
  reason?: string | undefined
  /** How long the runner may take to abort its question and to end, in milliseconds. Default 5000. */
  graceMs?: number | undefined
  clock?: Clock | undefined
}

/** How often an ending process is checked, in milliseconds. */
const LOOK_MS = 20

/**
 * Stops a run. Its runner aborts an open question. Then the rest of its process group is killed, also after a crash. A run
 * that is started again meanwhile is stopped, too. A run that has ended keeps its state.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id, `NOT_FOUND` for an unknown run.
 */
export async function stopRun(sandbox: RunSandbox, runId: string, options: StopOptions = {}): Promise<Run> {
  const { clock = systemClock } = options
  let record = await latestRecord(sandbox, runId)
  if (!record) throw unknownRun(runId)
  for (;;) {
    const stopped = await stopAttempt(sandbox, record, options)
    if (stopped.state !== 'stopped') return stopped
    const next = await nextStart(sandbox, record, clock)
    if (!next) return stopped
    record = next
  }
}

async function stopAttempt(
  sandbox: RunSandbox,
  record: RunRecord,
  { reason, graceMs = 5000, clock = systemClock }: StopOptions,
): Promise<Run> {
  const { files, detached } = sandbox
  const run = await describeRun(sandbox, record)
  if (run.state !== 'running' && run.state !== 'crashed') return run

  const stop: StopRecord = { ...(reason !== undefined && { reason }) }
  await files.writeAtomic(attemptPaths(sandbox, record.runId, record.attempt).stop, JSON.stringify(stop))
  await detached.interrupt(record.process)
  // Counts the checks, because the clock can be set back.
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += LOOK_MS) {
    if (!(await detached.isRunning(record.process))) break
    await sleep(clock, LOOK_MS)
  }
  await detached.kill(record.process)
  // A killed process exists until the system has removed it.
  while (await detached.isRunning(record.process)) await sleep(clock, LOOK_MS)
  return describeRun(sandbox, record)
}

/** A later start of the run. One that a host works on is waited for. */
async function nextStart(
  sandbox: RunSandbox,
  { runId, attempt }: RunRecord,
  clock: Clock,
): Promise<RunRecord | null> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const begun = (await attemptsOf(sandbox, runId)).at(-1) ?? 0
    const isStarting = begun > attempt && (await isBeingStarted(sandbox, runId, begun, clock))
    const latest = await latestRecord(sandbox, runId)
    if (latest && latest.attempt > attempt) return latest
    if (!isStarting || waitedMs >= STARTING_MS) return null
    await sleep(clock, LOOK_MS)
  }
}
