import { AskError, type Clock } from '@sandagent/core'
import type { ProcessEnd, RunSandbox } from '../sandbox.ts'
import { backgroundClock } from './background-clock.ts'
import { limitLog } from './limit-log.ts'
import { describeRun, type Run } from './run.ts'
import { attemptPaths, newRunId } from './run-paths.ts'
import { attemptsOf, type ExitRecord, latestRecord, type RunRecord } from './run-records.ts'

/** What an agent shall do, and how its runner is started. */
export interface RunRequest {
  /** The agent's name, as `sandagent run --agent` takes it. */
  agent: string
  /** What more it takes: `['--scenario', 'build.json']`, or `['--', 'sh', 'agent.sh']` for the agent `command`. */
  args?: readonly string[]
  /** What the user asks for. */
  prompt: string
  /**
   * Default: a new one. The id of a run that has ended starts that run anew: it adopts the question that is open, or
   * the answer that was given meanwhile.
   */
  runId?: string
  /** The `sandagent` command inside the sandbox, and arguments that go before its own. Default `['sandagent']`. */
  runner?: readonly [command: string, ...args: string[]]
  /** What the host wants to know of the run later, such as the chat that it belongs to. */
  metadata?: Readonly<Record<string, string>>
  /** Set beside the environment of this process; kept nowhere. */
  env?: Readonly<Record<string, string | undefined>>
  /** The run is stopped when it prints more than this. Default 64 MiB. */
  maxLogBytes?: number
}

export interface StartOptions {
  /** Told of what fails after the start: noting the end, limiting the log. Default `console.error`. */
  onError?: (error: unknown) => void
  /** Its timers should not keep the process alive. */
  clock?: Clock
}

const MAX_LOG_BYTES = 64 * 1024 * 1024

/** How long ago a start may have begun that has not come to its end yet, in milliseconds. */
const STARTING_MS = 10_000

/**
 * Starts an agent that goes on without this process: detached, its UI stream in a file that `streamRun` shows.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id or cannot be handed to a program, `CONFLICT` while the run goes on already,
 *   `NOT_FOUND` when there is no such runner.
 */
export async function startRun(
  sandbox: RunSandbox,
  { runId = newRunId(), ...request }: RunRequest,
  { onError = (error) => console.error(error), clock = backgroundClock }: StartOptions = {},
): Promise<Run> {
  const attempt = await nextAttempt(sandbox, runId, clock)
  const { folder } = attemptPaths(runId, attempt)
  try {
    const { record, ended } = await start(sandbox, { ...request, runId, attempt }, clock)
    watchOver(sandbox, record, ended, clock).catch(onError)
    return await describeRun(sandbox, record)
  } catch (error) {
    if (isConflict(error)) throw alreadyRuns(runId)
    await sandbox.files.remove(folder)
    throw error
  }
}

async function nextAttempt({ files, detached }: RunSandbox, runId: string, clock: Clock): Promise<number> {
  const latest = await latestRecord(files, runId)
  if (latest && (await detached.isRunning(latest.process))) throw alreadyRuns(runId)
  const begun = (await attemptsOf(files, runId)).at(-1) ?? 0
  if (begun > (latest?.attempt ?? 0)) {
    // Somebody else is just starting it, or ended in the middle of that.
    const folder = await files.stat(attemptPaths(runId, begun).folder)
    if (folder && clock.now() - folder.modifiedAt < STARTING_MS) throw alreadyRuns(runId)
  }
  return begun + 1
}

/** Starts the runner. Of several starts that come to the same attempt, the one that creates its log goes on. */
async function start(
  { files, detached, workdir }: RunSandbox,
  request: RunRequest & { runId: string; attempt: number },
  clock: Clock,
): Promise<{ record: RunRecord; ended: Promise<ProcessEnd> }> {
  const { runId, attempt, agent, args = [], prompt, metadata = {}, maxLogBytes = MAX_LOG_BYTES } = request
  const { runner: [command, ...before] = ['sandagent'], env } = request
  const paths = attemptPaths(runId, attempt)
  const own = ['run', '--agent', agent, '--workdir', workdir, '--run-id', runId, '--format', 'stream']
  // As one word, or a prompt that begins with a dash would be an option.
  const { handle, ended } = await detached.start(
    command,
    [...before, ...own, `--prompt=${prompt}`, ...args],
    { stdout: paths.stream, stderr: paths.errors, ...(env && { env }) },
  )
  const record: RunRecord = {
    version: 1,
    runId,
    attempt,
    agent,
    args: [...args],
    prompt,
    metadata,
    startedAt: new Date(clock.now()).toISOString(),
    process: handle,
    maxLogBytes,
  }
  try {
    await files.writeAtomic(paths.record, JSON.stringify(record, null, 2))
  } catch (error) {
    // Nobody would ever find it.
    await detached.kill(handle)
    throw error
  }
  return { record, ended }
}

/** What only the process that started a run can do, as long as it is there. */
async function watchOver(
  sandbox: RunSandbox,
  record: RunRecord,
  ended: Promise<ProcessEnd>,
  clock: Clock,
): Promise<void> {
  const gone = new AbortController()
  const noteEnd = async (): Promise<void> => {
    const { exitCode, signal } = await ended
    gone.abort()
    const paths = attemptPaths(record.runId, record.attempt)
    const exit: ExitRecord = { exitCode, signal, endedAt: new Date(clock.now()).toISOString() }
    // A run that was removed meanwhile stays away.
    if (await sandbox.files.stat(paths.record))
      await sandbox.files.writeAtomic(paths.exit, JSON.stringify(exit))
  }
  await Promise.all([noteEnd(), limitLog(sandbox, record, { signal: gone.signal, clock })])
}

const isConflict = (error: unknown): boolean => error instanceof AskError && error.code === 'CONFLICT'

const alreadyRuns = (runId: string): AskError =>
  new AskError('CONFLICT', 'This run goes on already', { facts: { runId } })
