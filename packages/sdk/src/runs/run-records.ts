import { AskError, parseJson, parseWith } from '@sandagent/core'
import type { SandboxFiles } from '@sandagent/files'
import * as v from 'valibot'
import type { AnswerableSandbox } from '../sandbox.ts'
import { attemptPaths, runFolder } from './run-paths.ts'

/** What was started, and as which process. Written by the host that starts it. */
export interface RunRecord {
  version: 1
  runId: string
  /** Counts the starts of the run, from 1. */
  attempt: number
  agent: string
  args: readonly string[]
  prompt: string
  metadata: Readonly<Record<string, string>>
  /** ISO 8601. */
  startedAt: string
  /** The runner's process, as the sandbox names it: see `DetachedProgram.handle`. */
  process: string
  maxLogBytes: number
  /** The ids of the public keys that the runner was given: it takes answers signed by one of them alone. */
  answerKeys?: readonly string[]
}

/** How the process ended. Written by the host that started it, if that is still there. */
export interface ExitRecord {
  exitCode: number | null
  signal: string | null
  /** ISO 8601. */
  endedAt: string
}

/** That a run was stopped. Written by whoever stops it, before. */
export interface StopRecord {
  reason?: string
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const time = v.pipe(v.string(), v.isoTimestamp())

const runSchema: v.GenericSchema<unknown, RunRecord> = v.object({
  version: v.literal(1),
  runId: v.string(),
  attempt: count,
  agent: v.string(),
  args: v.array(v.string()),
  prompt: v.string(),
  metadata: v.record(v.string(), v.string()),
  startedAt: time,
  process: v.string(),
  maxLogBytes: v.number(),
  answerKeys: v.exactOptional(v.array(v.string())),
})

const exitSchema: v.GenericSchema<unknown, ExitRecord> = v.object({
  exitCode: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  endedAt: time,
})

const stopSchema: v.GenericSchema<unknown, StopRecord> = v.object({ reason: v.exactOptional(v.string()) })

/** The latest start of a run; `null` when there is none. */
export async function latestRecord(sandbox: AnswerableSandbox, runId: string): Promise<RunRecord | null> {
  for (const attempt of (await attemptsOf(sandbox, runId)).reverse()) {
    const record = await readJson(sandbox.files, attemptPaths(sandbox, runId, attempt).record, runSchema)
    if (record?.runId === runId && record.attempt === attempt) return record
    if (record) throw new AskError('INVALID_FILE', `Another run's file is in the place of ${runId}'s`)
  }
  return null
}

/** The numbers of a run's starts, ascending; one without a record is only just being made, or came to nothing. */
export async function attemptsOf(sandbox: AnswerableSandbox, runId: string): Promise<number[]> {
  const names = await sandbox.files.list(runFolder(sandbox, runId))
  return names
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}

export const readExit = (
  sandbox: AnswerableSandbox,
  { runId, attempt }: RunRecord,
): Promise<ExitRecord | null> =>
  readJson(sandbox.files, attemptPaths(sandbox, runId, attempt).exit, exitSchema)

export const readStop = (
  sandbox: AnswerableSandbox,
  { runId, attempt }: RunRecord,
): Promise<StopRecord | null> =>
  readJson(sandbox.files, attemptPaths(sandbox, runId, attempt).stop, stopSchema)

async function readJson<T>(
  files: SandboxFiles,
  path: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | null> {
  const text = await files.read(path)
  if (text === null) return null
  const what = `${path} cannot be read`
  return parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
}
