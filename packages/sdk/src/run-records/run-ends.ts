import * as v from 'valibot'
import type { FileSandbox } from '../sandbox/sandbox.ts'
import { attemptPaths } from './run-paths.ts'
import { orWhenRefused, type RunRecord, readJson } from './run-records.ts'

/** How the process ended. The host that started it writes this, if it still runs. */
export interface ExitRecord {
  exitCode: number | null
  signal: string | null
  /** ISO 8601. */
  endedAt: string
}

/** Says that a run was stopped. It is written before the run is stopped. */
export interface StopRecord {
  reason?: string | undefined
}

const exitSchema: v.GenericSchema<unknown, ExitRecord> = v.object({
  exitCode: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  endedAt: v.pipe(v.string(), v.isoTimestamp()),
})

const stopSchema: v.GenericSchema<unknown, StopRecord> = v.object({ reason: v.exactOptional(v.string()) })

/** Also `null` for a file that cannot be read: the exit is only informative. */
export const readExit = (sandbox: FileSandbox, { runId, attempt }: RunRecord): Promise<ExitRecord | null> =>
  readJson(sandbox.files, attemptPaths(sandbox, runId, attempt).exit, exitSchema).catch(orWhenRefused(null))

export const readStop = (sandbox: FileSandbox, { runId, attempt }: RunRecord): Promise<StopRecord | null> =>
  readJson(sandbox.files, attemptPaths(sandbox, runId, attempt).stop, stopSchema).catch(orWhenRefused({}))
