import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isRunId } from './run-paths.ts'
import { latestRecord } from './run-records.ts'

/** The ids of the keys that a run was started with; `undefined` for a run without keys, or unknown to this host. */
export async function keysOfRun(
  sandbox: AnswerableSandbox,
  runId: string,
  named?: readonly string[],
): Promise<readonly string[] | undefined> {
  if (!isRunId(runId)) return undefined
  if (sandbox.runs) return sandbox.runs.keyIds(runId, named)
  return (await latestRecord(sandbox, runId))?.publicKeyIds
}

/** Who started a run, as `startRun` was told at its latest start; `undefined` if it was not told, or no host knows the run. */
export async function ownerOfRun(sandbox: AnswerableSandbox, runId: string): Promise<string | undefined> {
  if (!isRunId(runId)) return undefined
  if (sandbox.runs?.owner) return sandbox.runs.owner(runId)
  return (await latestRecord(sandbox, runId))?.owner
}
