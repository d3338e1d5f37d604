import { isRunId } from '../runs/run-paths.ts'
import { latestRecord } from '../runs/run-records.ts'
import type { AnswerableSandbox } from '../sandbox.ts'

/** The ids of the keys that a run was started with; `undefined` for a run without, or one that this host knows nothing of. */
export async function keysOfRun(
  sandbox: AnswerableSandbox,
  runId: string,
): Promise<readonly string[] | undefined> {
  if (!isRunId(runId)) return undefined
  return (await latestRecord(sandbox, runId))?.answerKeys
}
