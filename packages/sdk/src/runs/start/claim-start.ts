import { AskError, type Clock } from '@sandagent/core'
import { findProcess, ownProcessHandle } from '@sandagent/files/internal'
import * as v from 'valibot'
import { attemptPaths } from '../../run-records/run-paths.ts'
import {
  abandonStart,
  attemptsOf,
  latestRecord,
  orWhenUnreadable,
  readJson,
} from '../../run-records/run-records.ts'
import type { RunSandbox } from '../../sandbox/sandbox.ts'
import { describeRun } from '../run.ts'

/** The host's process that is starting a run, if the system tells it. It is written before anything is started. */
const claimSchema = v.object({ host: v.exactOptional(v.string()) })

const NO_PROCESS = 'Its record names no process.'

/** How long a start may take if the host's process cannot be seen from here, in milliseconds. */
export const STARTING_MS = 10_000

/**
 * Takes the next start of a run for this process. Only one of several hosts succeeds. Resolves to the start's number.
 *
 * @throws AskError `CONFLICT` while the run goes on or is being started; `INVALID_FILE` when that cannot be found out.
 */
export async function claimStart(sandbox: RunSandbox, runId: string, clock: Clock): Promise<number> {
  const { files, detached } = sandbox
  const latest = await latestRecord(sandbox, runId)
  if (latest && (await detached.isRunning(latest.process))) throw alreadyRuns(runId)
  if (latest?.process === '' && (await describeRun(sandbox, latest)).state === 'crashed')
    throw new AskError(
      'INVALID_FILE',
      `Whether this run goes on is not known. ${latest.damage ?? NO_PROCESS}`,
      {
        facts: { runId },
      },
    )
  const begun = (await attemptsOf(sandbox, runId)).at(-1) ?? 0
  if (begun > (latest?.attempt ?? 0)) await passOver(sandbox, runId, begun, clock)
  const host = await ownProcessHandle()
  const { claim } = attemptPaths(sandbox, runId, begun + 1)
  await orConflict(runId, files.writeAtomic(claim, JSON.stringify({ host }), { exclusive: true }))
  return begun + 1
}

/** Skips a start without a record. Its host may still be working on it, or may be gone. */
async function passOver(sandbox: RunSandbox, runId: string, attempt: number, clock: Clock): Promise<void> {
  if (await isBeingStarted(sandbox, runId, attempt, clock)) throw alreadyRuns(runId)
  const { claim, record } = attemptPaths(sandbox, runId, attempt)
  // The start was removed, or was skipped before.
  if (!(await sandbox.files.stat(claim)) || (await sandbox.files.stat(record))) return
  // A slow host then cannot write its record, and gives up its start.
  await orConflict(runId, abandonStart(sandbox, runId, attempt))
}

/** Whether a host works on this start: it has taken it, has not written its record, and is not known to be gone. */
export async function isBeingStarted(
  sandbox: RunSandbox,
  runId: string,
  attempt: number,
  clock: Clock,
): Promise<boolean> {
  const { files } = sandbox
  const paths = attemptPaths(sandbox, runId, attempt)
  const stat = await files.stat(paths.claim)
  if (!stat || (await files.stat(paths.record))) return false
  const claim = await readJson(files, paths.claim, claimSchema).catch(orWhenUnreadable(null))
  const { state } = await findProcess(claim?.host ?? '')
  const age = clock.now() - stat.modifiedAt
  // The claim is in the future if the clock was set back. That must not block the run.
  return state === 'running' || (state === 'unknown' && age >= 0 && age < STARTING_MS)
}

/** A conflict means that another host was faster. */
export async function orConflict(runId: string, written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    if (error instanceof AskError && error.code === 'CONFLICT') throw alreadyRuns(runId)
    throw error
  }
}

const alreadyRuns = (runId: string): AskError =>
  new AskError(
    'CONFLICT',
    'This run goes on already. Stop it with stopRun, or give the new one another runId',
    { facts: { runId } },
  )
