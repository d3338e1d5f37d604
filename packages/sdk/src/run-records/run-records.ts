import { AskError, parseJson, parseWith, rememberByText } from '@sandagent/core/internal'
import type { SandboxFiles } from '@sandagent/files'
import * as v from 'valibot'
import type { DetachedPrograms } from '../sandbox/programs/detached-programs.ts'
import type { AnswerableSandbox, FileSandbox } from '../sandbox/sandbox.ts'
import { attemptPaths, runFolder } from './run-paths.ts'

/** The default limit for a run's log, in bytes. */
export const MAX_LOG_BYTES: number = 64 * 1024 * 1024

/** What was started, and its process. The host that starts the run writes it. */
export interface RunRecord {
  version: 1
  runId: string
  /** Counts the starts of the run, from 1. */
  attempt: number
  agent: string
  args: readonly string[]
  prompt: string
  metadata: Readonly<Record<string, string>>
  /** Who started it, as the host was told. */
  owner?: string | undefined
  /** ISO 8601. */
  startedAt: string
  /** The runner's process, as the sandbox names it: see `DetachedProgram.handle`. */
  process: string
  maxLogBytes: number
  /** The ids of the public keys that the runner was given. It accepts only answers signed by one of them. */
  publicKeyIds?: readonly string[] | undefined
  /** The runner was given passkeys that must sign for some calls. */
  demandsPasskeys?: true | undefined
  /** ISO 8601: when the run ended, if its process goes on with other work. */
  endedAt?: string
  /** Why the file cannot be read. Then the other texts are empty, except for the ids and perhaps `process`. */
  damage?: string | undefined
}

const time = v.pipe(v.string(), v.isoTimestamp())

const runSchema: v.GenericSchema<unknown, RunRecord> = v.object({
  version: v.literal(1),
  runId: v.string(),
  attempt: v.number(),
  agent: v.string(),
  args: v.array(v.string()),
  prompt: v.string(),
  metadata: v.record(v.string(), v.string()),
  owner: v.exactOptional(v.string()),
  startedAt: time,
  process: v.string(),
  maxLogBytes: v.number(),
  publicKeyIds: v.exactOptional(v.array(v.string())),
  demandsPasskeys: v.exactOptional(v.literal(true)),
  endedAt: v.exactOptional(time),
})

/** Replaces the `RunRecord` of a failed start, so that nobody can complete the start later. */
const abandonedSchema = v.object({
  version: v.literal(1),
  runId: v.string(),
  attempt: v.number(),
  abandoned: v.literal(true),
})

const recordSchema = v.union([abandonedSchema, runSchema])

/** Whether the process of a run works for it. */
export const isRunning = async (
  detached: Pick<DetachedPrograms, 'isRunning'>,
  { process, endedAt }: Pick<RunRecord, 'process' | 'endedAt'>,
): Promise<boolean> => endedAt === undefined && detached.isRunning(process)

/**
 * The latest start of a run, or `null`. A record that cannot be read has `damage`.
 *
 * @param options.before looks only at starts before this one
 */
export async function latestRecord(
  sandbox: AnswerableSandbox,
  runId: string,
  { before = Number.POSITIVE_INFINITY }: { before?: number } = {},
): Promise<RunRecord | null> {
  for (const attempt of (await attemptsOf(sandbox, runId)).reverse()) {
    const record = attempt < before && (await readRecord(sandbox, runId, attempt))
    if (record) return record
  }
  return null
}

/** The record of the same start as it is now, also if the run was started again. */
export async function sameStart(sandbox: AnswerableSandbox, record: RunRecord): Promise<RunRecord> {
  const { runId, attempt } = record
  const found = await latestRecord(sandbox, runId, { before: attempt + 1 })
  return found?.attempt === attempt ? found : record
}

/** The numbers of a run's starts, ascending. A start without a record is in progress, or failed. */
export async function attemptsOf(sandbox: AnswerableSandbox, runId: string): Promise<number[]> {
  const names = (await sandbox.files?.list(runFolder(sandbox, runId))) ?? []
  const numbers = names.flatMap((name) => /^([1-9]\d{0,8})(\.json)?$/.exec(name)?.[1] ?? []).map(Number)
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** Prevents a start from being completed later. */
export async function abandonStart(sandbox: FileSandbox, runId: string, attempt: number): Promise<void> {
  const record: v.InferOutput<typeof abandonedSchema> = { version: 1, runId, attempt, abandoned: true }
  const path = attemptPaths(sandbox, runId, attempt).record
  await sandbox.files.writeAtomic(path, JSON.stringify(record), { exclusive: true })
}

async function readRecord(
  sandbox: AnswerableSandbox,
  runId: string,
  attempt: number,
): Promise<RunRecord | null> {
  const path = attemptPaths(sandbox, runId, attempt).record
  const text = await sandbox.files?.read(path)
  if (text === undefined || text === null) return null
  try {
    const record = recordIn(text)
    if (record.runId !== runId || record.attempt !== attempt)
      throw new AskError('INVALID_FILE', `The file ${path} belongs to another run than ${runId}`)
    return 'abandoned' in record ? null : record
  } catch (error) {
    if (!(error instanceof AskError && error.code === 'INVALID_FILE')) throw error
    return { ...NOTHING_KNOWN, runId, attempt, process: processIn(text, runId), damage: error.message }
  }
}

/** Each answer needs the record of its run. */
const recordIn = rememberByText((text) => parseFile(text, 'The record of this run', recordSchema))

const NOTHING_KNOWN = {
  version: 1,
  agent: '',
  args: [],
  prompt: '',
  metadata: {},
  startedAt: new Date(0).toISOString(),
  maxLogBytes: MAX_LOG_BYTES,
} as const

/** The process that a damaged record of this run names, so that it can be stopped. */
function processIn(text: string, runId: string): string {
  const [, owner] = /"runId": ?"([^"]{0,100})"/.exec(text) ?? []
  const [, process = ''] = /"process": ?"([^"]{0,500})"/.exec(text) ?? []
  return owner === runId ? process : ''
}

/** For `catch`: returns a value instead of an `AskError`, such as that of a file that cannot be read. */
export const orWhenRefused =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof AskError) return value
    throw error
  }

export async function readJson<T>(
  files: SandboxFiles,
  path: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | null> {
  const text = await files.read(path)
  return text === null ? null : parseFile(text, path, schema)
}

function parseFile<T>(text: string, path: string, schema: v.GenericSchema<unknown, T>): T {
  const what = `${path} cannot be read`
  return parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
}
