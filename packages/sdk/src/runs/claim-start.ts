import { randomUUID } from 'node:crypto'
import { AskError, type Clock } from '@sandagent/core'
import { findProcess, ownProcessHandle, type RunFiles } from '@sandagent/files/internal'
import * as v from 'valibot'
import { attemptPaths } from '../run-records/run-paths.ts'
import {
  abandonStart,
  attemptsOf,
  isRunning,
  latestRecord,
  orWhenRefused,
  readJson,
} from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { describeRun } from './run.ts'

/** The host's process that is starting a run, if the system tells it. It is written before anything is started. */
const claimSchema = v.object({ host: v.exactOptional(v.string()), id: v.exactOptional(v.string()) })

/** A start of a run that this process has taken. */
export interface ClaimedStart {
  /** Its number. */
  attempt: number
  /** Says that this process no longer works on it: the record is written, or the start has failed. */
  release(): void
}

const KEY = Symbol.for('sandagent.starts')
const shared = globalThis as { [KEY]?: Set<string> }

/**
 * The ids of the starts that this process works on, also with another copy of this module. A failed start may leave its claim:
 * its host could not reach the sandbox to remove it.
 */
const underWay: Set<string> = shared[KEY] ?? new Set()
shared[KEY] = underWay

const NO_PROCESS = 'Its record names no process.'

/** How long a start may take if the host's process cannot be seen from here, in milliseconds. */
const STARTING_MS = 10_000

/**
 * Takes the next start of a run for this process. Only one of several hosts succeeds.
 *
 * @throws AskError `CONFLICT` while the run goes on or is being started; `INVALID_FILE` when that cannot be found out.
 */
export async function claimStart(sandbox: RunSandbox, runId: string, clock: Clock): Promise<ClaimedStart> {
  const latest = await latestRecord(sandbox, runId)
  if (latest && (await isRunning(sandbox.detached, latest))) throw alreadyRuns(runId)
  if (
    latest?.process === '' &&
    latest.endedAt === undefined &&
    (await describeRun(sandbox, latest)).state === 'crashed'
  )
    throw new AskError(
      'INVALID_FILE',
      `Whether this run goes on is not known. ${latest.damage ?? NO_PROCESS}`,
      {
        facts: { runId },
      },
    )
  return claimNext(sandbox, runId, latest?.attempt ?? 0, clock)
}

/**
 * Takes the next start. `lastAttempt` is the last start that has a record, or 0.
 *
 * @throws AskError `CONFLICT` if there is another start meanwhile
 */
export async function claimNext(
  sandbox: RunSandbox,
  runId: string,
  lastAttempt: number,
  clock: Clock,
): Promise<ClaimedStart> {
  const begun = (await attemptsOf(sandbox, runId)).at(-1) ?? 0
  if (begun > lastAttempt) {
    await passOver(sandbox, runId, begun, clock)
    const latest = await latestRecord(sandbox, runId)
    if (latest && latest.attempt > lastAttempt) throw alreadyRuns(runId)
  }
  const id = randomUUID()
  const text = JSON.stringify({ host: await ownProcessHandle(), id })
  const { claim } = attemptPaths(sandbox, runId, begun + 1)
  const release = (): void => void underWay.delete(id)
  underWay.add(id)
  try {
    await orConflict(runId, sandbox.files.writeAtomic(claim, text, { exclusive: true }))
  } catch (error) {
    release()
    throw error
  }
  return { attempt: begun + 1, release }
}

/** Skips a start without a record. Its host may still be working on it, or may be gone. */
async function passOver(sandbox: RunSandbox, runId: string, attempt: number, clock: Clock): Promise<void> {
  const { files } = sandbox
  const paths = attemptPaths(sandbox, runId, attempt)
  const stat = await files.stat(paths.claim)
  // The start was removed, or was skipped before.
  if (!stat || (await files.stat(paths.record))) return
  if (await isUnderWay(files, paths.claim, clock.now() - stat.modifiedAt)) throw alreadyRuns(runId)
  // A slow host then cannot write its record, and gives up its start.
  await orConflict(runId, abandonStart(sandbox, runId, attempt))
}

/** Whether a host works on a start that it claimed so many milliseconds ago. */
async function isUnderWay(files: RunFiles, path: string, age: number): Promise<boolean> {
  const claim = await readJson(files, path, claimSchema).catch(orWhenRefused(null))
  if (claim?.host !== undefined && claim.host === (await ownProcessHandle()))
    return claim.id !== undefined && underWay.has(claim.id)
  const { state } = await findProcess(claim?.host ?? '')
  // The claim is in the future if the clock was set back. That must not block the run.
  return state === 'running' || (state === 'unknown' && age >= 0 && age < STARTING_MS)
}

/** Takes a start without a record away from its host, which then cannot begin it. */
export async function preventStart(sandbox: RunSandbox, runId: string, attempt: number): Promise<void> {
  const { claim, record } = attemptPaths(sandbox, runId, attempt)
  if (!(await sandbox.files.stat(claim)) || (await sandbox.files.stat(record))) return
  await abandonStart(sandbox, runId, attempt).catch((error: unknown) => {
    // The host was faster: now there is a record.
    if (!(error instanceof AskError && error.code === 'CONFLICT')) throw error
  })
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
    'This run goes on already, or is being stopped. Stop it with stopRun, or give the new one another runId',
    { facts: { runId } },
  )
