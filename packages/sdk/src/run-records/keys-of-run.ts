import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isRunId } from './run-paths.ts'
import { latestRecord } from './run-records.ts'

/** The ids of the keys that a run was started with; `undefined` for a run without keys, or unknown to this host. */
export async function keysOfRun(
  sandbox: AnswerableSandbox,
  runId: string,
): Promise<readonly string[] | undefined> {
  if (!isRunId(runId)) return undefined
  if (sandbox.runs) return sandbox.runs.keyIds(runId)
  return (await latestRecord(sandbox, runId))?.publicKeyIds
}
