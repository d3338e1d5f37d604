import { AskError, type ChannelWarning, type Clock, errorCode } from '@sandagent/core/internal'
import type { StartOptions } from '@sandagent/sdk'
import type { RunRequest, RunSandbox, SigningKeys } from '@sandagent/sdk/internal'
import {
  attemptPaths,
  latestRecord,
  listRuns,
  type Run,
  type RunRecord,
  startRun,
} from '@sandagent/sdk/internal'

interface RestartOptions extends Pick<StartOptions, 'policy' | 'passkeys'> {
  /** What to start in place of a run; `null` for nothing. */
  restart: (run: Run) => RunRequest | null
  signingKeys: SigningKeys | null | undefined
  clock: Clock
  onError: (error: unknown) => void
}

/**
 * Starts runs again whose processes the sleep has ended, except for those that somebody stops meanwhile.
 *
 * @throws AskError `UNREACHABLE`: a lost connection is tried again. Other errors would only come back.
 */
export async function restartRuns(
  sandbox: RunSandbox,
  processes: readonly string[],
  { restart, onError, ...options }: RestartOptions,
): Promise<void> {
  for (const run of await listRuns(sandbox, { onWarning: throwLost })) {
    const record = await latestRecord(sandbox, run.runId)
    if (!record || run.state !== 'crashed' || !(await isEnded(sandbox, record, processes))) continue
    const request = restart(run)
    if (!request) continue
    const starting = startRun(unlessOvertaken(sandbox, record), request, { ...options, onError })
    await starting.catch((error: unknown) => {
      if (error instanceof AskError && error.code === 'UNREACHABLE') throw error
      if (!(error instanceof Overtaken) && errorCode(error) !== 'CONFLICT') onError(error)
    })
  }
}

/** Whether the sleep has ended this start, or the start before one that never began: its host was killed meanwhile. */
async function isEnded(
  sandbox: RunSandbox,
  { runId, attempt, process, endedAt }: RunRecord,
  processes: readonly string[],
): Promise<boolean> {
  if (endedAt !== undefined) return false
  if (processes.includes(process)) return true
  // A start that has begun has printed something, or its host has seen its end.
  const { stream, errors, exit } = attemptPaths(sandbox, runId, attempt)
  for (const path of [stream, errors, exit]) if ((await sandbox.files.stat(path))?.size) return false
  const before = await latestRecord(sandbox, runId, { before: attempt })
  return before !== null && isEnded(sandbox, before, processes)
}

/** A run that cannot be reached is left out of the list. Nobody would start it then. */
function throwLost({ code, message }: ChannelWarning): void {
  if (code === 'UNREACHABLE') throw new AskError('UNREACHABLE', message)
}

/** Somebody has stopped the run, or has started it. */
class Overtaken extends Error {}

/**
 * The same parked sandbox, but no program begins once the run was stopped or started by somebody else. `stopRun` writes its
 * file first. Then it looks for starts.
 */
function unlessOvertaken(sandbox: RunSandbox, record: RunRecord): RunSandbox {
  const { detached } = sandbox
  const start: RunSandbox['detached']['start'] = (command, args, { beforeStart, ...options }) =>
    detached.start(command, args, {
      ...options,
      async beforeStart(handle) {
        const { stop } = attemptPaths(sandbox, record.runId, record.attempt)
        const latest = await latestRecord(sandbox, record.runId)
        if (latest?.attempt !== record.attempt || (await sandbox.files.stat(stop))) throw new Overtaken()
        await beforeStart?.(handle)
      },
    })
  return { ...sandbox, detached: { ...detached, start } }
}
