// Why it is so: docs/decisions/0089-a-stop-takes-the-next-start-away.md

import {
  type Clock,
  checkOptions,
  DEFAULT_STOP_GRACE_MS,
  type OptionNames,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import type { StopRecord } from '../run-records/run-ends.ts'
import { attemptPaths } from '../run-records/run-paths.ts'
import { attemptsOf, latestRecord, type RunRecord, sameStart } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { preventStart } from './claim-start.ts'
import { describeRun, type Run, unknownRun } from './run.ts'

export interface StopOptions {
  /** The reason, which the run keeps. */
  reason?: string | undefined
  /** How long the runner may take to abort its question and to end, in milliseconds. Default 5000. */
  graceMs?: number | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<StopOptions> = { reason: true, graceMs: true, clock: 'clock' }

const LOOK_MS = 20

/**
 * Stops a run. Its runner aborts an open question. Then the rest of its process group is killed, also after a crash. A run
 * that has ended keeps its state. If a host starts the run meanwhile, that start is stopped or prevented too: its `startRun`
 * then rejects with `CONFLICT`.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id, `NOT_FOUND` for an unknown run, also when its first start
 *   was prevented.
 */
export async function stopRun(sandbox: RunSandbox, runId: string, options: StopOptions = {}): Promise<Run> {
  checkOptions('stopRun: its options', options, NAMES)
  let record = (await latestRecord(sandbox, runId)) ?? (await nextStart(sandbox, runId, NO_START))
  if (!record) throw unknownRun(runId)
  for (;;) {
    const stopped = await stopAttempt(sandbox, record, options)
    const next = await nextStart(sandbox, runId, record)
    if (!next) return stopped
    record = next
  }
}

/** Stops one start of a run, and leaves later ones alone. */
export async function stopAttempt(
  sandbox: RunSandbox,
  record: RunRecord,
  { reason, graceMs = DEFAULT_STOP_GRACE_MS, clock = systemClock }: StopOptions,
): Promise<Run> {
  const { files, detached } = sandbox
  const run = await describeRun(sandbox, record)
  if (run.state !== 'running' && run.state !== 'crashed') return run

  const stop: StopRecord = { reason }
  await files.writeAtomic(attemptPaths(sandbox, record.runId, record.attempt).stop, JSON.stringify(stop))
  // A process that goes on with other work may have ended its run meanwhile.
  const atStop = await sameStart(sandbox, record)
  if (atStop.endedAt !== undefined) return describeRun(sandbox, atStop)
  await detached.interrupt(record.process)
  // Counts the checks, because the clock can be set back.
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += LOOK_MS) {
    if (!(await detached.isRunning(record.process))) break
    await sleep(clock, LOOK_MS)
  }
  const afterGrace = await sameStart(sandbox, record)
  if (afterGrace.endedAt !== undefined) return describeRun(sandbox, afterGrace)
  await detached.kill(record.process)
  // A killed process exists until the system has removed it.
  while (await detached.isRunning(record.process)) await sleep(clock, LOOK_MS)
  return describeRun(sandbox, record)
}

type Start = Pick<RunRecord, 'attempt' | 'process'>
const NO_START: Start = { attempt: 0, process: '' }

/**
 * What there is to stop after this start: a later one, or the one before, if the host of this one has removed it. A later
 * start that has not begun is prevented.
 */
async function nextStart(
  sandbox: RunSandbox,
  runId: string,
  { attempt, process }: Start,
): Promise<RunRecord | null> {
  const begun = (await attemptsOf(sandbox, runId)).at(-1) ?? 0
  if (begun > attempt) await preventStart(sandbox, runId, begun)
  const latest = await latestRecord(sandbox, runId)
  return latest && (latest.attempt !== attempt || latest.process !== process) ? latest : null
}
