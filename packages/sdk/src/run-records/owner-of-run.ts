import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isRunId } from './run-paths.ts'
import { latestRecord } from './run-records.ts'

/** Who started a run, as `startRun` was told at its latest start; `undefined` if it was not told, or no host knows the run. */
export async function ownerOfRun(sandbox: AnswerableSandbox, runId: string): Promise<string | undefined> {
  if (!isRunId(runId)) return undefined
  if (sandbox.runs?.owner) return sandbox.runs.owner(runId)
  return (await latestRecord(sandbox, runId))?.owner
}
