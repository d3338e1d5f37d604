import { AskError, type ChannelWarning, checkOptions, NO_ROOM_EXIT_CODE } from '@sandagent/core/internal'
import { stateFolders } from '@sandagent/files/internal'
import pLimit from 'p-limit'
import { type ExitRecord, readExit, readStop } from '../run-records/run-ends.ts'
import { attemptPaths, isRunId } from '../run-records/run-paths.ts'
import { isRunning, latestRecord, type RunRecord } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { readComplaints, readEnding } from './run-log.ts'

/**
 * `running`: its process exists. `finished`: the agent did its work. `failed`: the agent gave a reason why it could not.
 * `stopped`: see `stopRun`. `crashed`: its process ended unexpectedly; when started again, it adopts its open question.
 */
export type RunState = 'running' | 'finished' | 'failed' | 'stopped' | 'crashed'

/** One run of an agent, by its latest start. */
export interface Run extends Omit<RunRecord, 'version' | 'process' | 'maxLogBytes' | 'publicKeyIds'> {
  state: RunState
  /** ISO 8601. It is the time of the last output if the host that started the run did not see its end. */
  endedAt?: string
  /**
   * Why the run failed, with the error that its program printed last, or was stopped; for a crash, what the runner printed
   * last.
   */
  reason?: string | undefined
  /** Both are `null` or absent if no host saw the end. */
  exitCode?: number | null | undefined
  signal?: string | null | undefined
}

const RUNS_AT_ONCE = 8

/** Reads a run; `null` for an unknown one. @throws AskError `INVALID_REQUEST` for a text that is no run id. */
export async function readRun(sandbox: RunSandbox, runId: string): Promise<Run | null> {
  const record = await latestRecord(sandbox, runId)
  return record && describeRun(sandbox, record)
}

/** The runs of a sandbox, by their latest start, oldest first. `onWarning` is called for damaged ones. */
export async function listRuns(
  sandbox: RunSandbox,
  options: { onWarning?: ((warning: ChannelWarning) => void) | undefined } = {},
): Promise<Run[]> {
  checkOptions('listRuns: its options', options, { onWarning: 'function' })
  const { onWarning = () => {} } = options
  const names = await sandbox.files.list(stateFolders(sandbox).runs)
  const readOrWarn = async (runId: string): Promise<Run | null> => {
    try {
      const run = await readRun(sandbox, runId)
      if (run?.damage !== undefined) onWarning({ code: 'INVALID_FILE', message: run.damage })
      return run
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      onWarning({ code: error.code, message: error.message })
      return null
    }
  }
  const runs = await pLimit(RUNS_AT_ONCE).map(names.filter(isRunId), readOrWarn)
  return runs.filter((run) => run !== null).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
}

/**
 * Adds to a run's record what became of the run.
 *
 * @param seen how its process ended. Default: as it is recorded, which a full disk prevents
 */
export async function describeRun(
  sandbox: RunSandbox,
  record: RunRecord,
  seen?: ExitRecord | undefined,
): Promise<Run> {
  const { files } = sandbox
  const { runId, agent, args, prompt, metadata, owner, attempt, damage } = record
  const file = damage === undefined ? null : await files.stat(attemptPaths(sandbox, runId, attempt).record)
  const startedAt = file ? new Date(file.modifiedAt).toISOString() : record.startedAt
  const run = { runId, agent, args, prompt, metadata, owner, attempt, startedAt, damage }
  if (await isRunning(sandbox.detached, record)) return { ...run, state: 'running' }
  const { stream, errors } = attemptPaths(sandbox, runId, attempt)
  const [ending, stop, exit, log, complaints] = await Promise.all([
    readEnding(files, stream),
    readStop(sandbox, record),
    seen ?? readExit(sandbox, record),
    files.stat(stream),
    readComplaints(files, errors),
  ])
  // Of a program, the runner knows its exit code alone.
  const said = agent === 'command' ? complaints.agent : undefined
  const failure = ending?.reason && [ending.reason, said].filter(Boolean).join('. ')
  const state = ending?.state ?? (stop ? 'stopped' : 'crashed')
  const isFull = exit?.exitCode === NO_ROOM_EXIT_CODE
  const crash = complaints.runner ?? (isFull ? DISK_FULL : undefined)
  return {
    ...run,
    state,
    endedAt: record.endedAt ?? exit?.endedAt ?? (log ? new Date(log.modifiedAt).toISOString() : startedAt),
    reason: state === 'crashed' ? crash : (failure ?? stop?.reason),
    exitCode: exit?.exitCode,
    signal: exit?.signal,
  }
}

const DISK_FULL = 'The disk is full. Free some space, and start the run again'

export const unknownRun = (runId: string): AskError =>
  new AskError('NOT_FOUND', `There is no run ${runId}. List them with listRuns`, { facts: { runId } })
