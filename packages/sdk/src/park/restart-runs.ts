import { AskError, type Clock } from '@sandagent/core'
import { latestRecord, type RunRecord, readStop } from '../run-records/run-records.ts'
import { listRuns, type Run } from '../runs/run.ts'
import type { RunRequest } from '../runs/start/run-request.ts'
import { startRun } from '../runs/start/start-run.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'

interface RestartOptions {
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
  { restart, signingKeys, clock, onError }: RestartOptions,
): Promise<void> {
  for (const run of await listRuns(sandbox)) {
    const record = await latestRecord(sandbox, run.runId)
    if (!record || run.state !== 'crashed' || !processes.includes(record.process)) continue
    const request = restart(run)
    if (!request) continue
    const starting = startRun(unlessStopped(sandbox, record), request, { signingKeys, clock, onError })
    await starting.catch((error: unknown) => {
      if (error instanceof AskError && error.code === 'UNREACHABLE') throw error
      if (!(error instanceof RunStopped)) onError(error)
    })
  }
}

class RunStopped extends Error {}

/** The same sandbox, but no program begins once the run was stopped. `stopRun` looks for starts after it has said so. */
function unlessStopped(sandbox: RunSandbox, record: RunRecord): RunSandbox {
  const { detached } = sandbox
  const start: RunSandbox['detached']['start'] = (command, args, { beforeStart, ...options }) =>
    detached.start(command, args, {
      ...options,
      async beforeStart(handle) {
        if (await readStop(sandbox, record)) throw new RunStopped('The run was stopped')
        await beforeStart?.(handle)
      },
    })
  return { ...sandbox, detached: { ...detached, start } }
}
