import { ANSWER_KEYS_VARIABLE, AskError, type Clock, isSettled } from '@sandagent/core'
import { MAX_FILE_BYTES } from '@sandagent/files'
import type { DetachedProgram } from '../detached-programs.ts'
import type { ProcessEnd, RunSandbox } from '../sandbox.ts'
import { channelOf, type HostOptions } from '../sandbox-channel.ts'
import { loadSigningKeys, SIGNING_KEY_VARIABLE } from '../signing/load-signing-keys.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { logError, type OnWarning, tellPeople } from '../warnings.ts'
import { agentNeeds } from './agent-needs.ts'
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
  /** An earlier run whose open questions, and the answers to them, this one may take up. Its own it may always. */
  continues?: string
  /** Set beside the environment of this process; kept nowhere. */
  env?: Readonly<Record<string, string | undefined>>
  /** The run is stopped when it prints more than this. Default 64 MiB. */
  maxLogBytes?: number
}

export interface StartOptions {
  /** Told of what fails after the start: noting the end, limiting the log. Default: printed by `console.error`, safely. */
  onError?: (error: unknown) => void
  /**
   * Told when the run has ended of each of its questions that is said to have ended by an answer which this host did not
   * store (`DISPUTED_RECEIPT`). Default: a line by `console.error`.
   */
  onWarning?: OnWarning
  /** Its timers should not keep the process alive. */
  clock?: Clock
  /**
   * Answers to the run are signed, and its runner takes no others. Default: this host's own keys, which are made where
   * there are none; `null` for a run that takes unsigned answers.
   */
  keys?: SigningKeys | null
}

const MAX_LOG_BYTES = 64 * 1024 * 1024

/** How long ago a start may have begun that has not come to its end yet, in milliseconds. */
const STARTING_MS = 10_000

/**
 * Starts an agent that goes on without this process: detached, its UI stream in a file that `streamRun` shows.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id or cannot be handed to a program, `TOO_LARGE`,
 *   `CONFLICT` while the run goes on already, `NOT_FOUND` when there is no such runner.
 */
export async function startRun(
  sandbox: RunSandbox,
  { runId = newRunId(), ...request }: RunRequest,
  { onError = logError, onWarning = tellPeople, clock = backgroundClock, keys }: StartOptions = {},
): Promise<Run> {
  const signing =
    keys === undefined ? await loadSigningKeys({ create: true, outside: sandbox.files.id }) : keys
  const attempt = await nextAttempt(sandbox, runId, clock)
  const { agent, args = [], prompt, metadata = {}, maxLogBytes = MAX_LOG_BYTES } = request
  const facts = { version: 1, runId, attempt, agent, args, prompt, metadata, maxLogBytes } as const
  if (Buffer.byteLength(JSON.stringify(facts)) > MAX_FILE_BYTES / 2)
    throw new AskError('TOO_LARGE', 'Nobody could read what this run is about', { facts: { runId } })

  const { handle, ended } = await launch(sandbox, facts, request, signing)
  const startedAt = new Date(clock.now()).toISOString()
  const answerKeys = signing?.publicKeys.keys.flatMap(({ kid = [] }) => kid)
  const record: RunRecord = { ...facts, startedAt, process: handle, ...(answerKeys && { answerKeys }) }
  const path = attemptPaths(sandbox, runId, attempt).record
  try {
    await sandbox.files.writeAtomic(path, JSON.stringify(record, null, 2))
  } catch (error) {
    // Nobody would ever find it.
    await sandbox.detached.kill(handle)
    throw error
  }
  watchOver(sandbox, record, ended, clock)
    .then(() => compareReceipts(sandbox, record, { keys: signing, onWarning, clock }))
    .catch(onError)
  return describeRun(sandbox, record)
}

async function nextAttempt(sandbox: RunSandbox, runId: string, clock: Clock): Promise<number> {
  const { files, detached } = sandbox
  const latest = await latestRecord(sandbox, runId)
  if (latest && (await detached.isRunning(latest.process))) throw alreadyRuns(runId)
  const begun = (await attemptsOf(sandbox, runId)).at(-1) ?? 0
  if (begun > (latest?.attempt ?? 0)) {
    // Somebody else is just starting it, or ended in the middle of that.
    const folder = await files.stat(attemptPaths(sandbox, runId, begun).folder)
    if (folder && clock.now() - folder.modifiedAt < STARTING_MS) throw alreadyRuns(runId)
  }
  return begun + 1
}

/** Starts the runner. Of several starts that come to the same attempt, the one that creates its log goes on. */
async function launch(
  sandbox: RunSandbox,
  { runId, attempt, agent, args, prompt }: Omit<RunRecord, 'startedAt' | 'process'>,
  { runner: [command, ...before] = ['sandagent'], env, continues }: Omit<RunRequest, 'runId'>,
  keys: SigningKeys | null,
): Promise<DetachedProgram> {
  const { files, detached, workdir, stateFolder } = sandbox
  const { folder, stream, errors } = attemptPaths(sandbox, runId, attempt)
  const own = ['run', '--agent', agent, '--workdir', workdir, '--run-id', runId, '--format', 'stream']
  // As one word, or a prompt that begins with a dash would be an option.
  const earlier = continues === undefined ? [] : [`--continues=${continues}`]
  const state = stateFolder === undefined ? [] : [`--state-folder=${stateFolder}`]
  const words = [...before, ...own, ...state, ...earlier, `--prompt=${prompt}`, ...args]
  const answerKeys = keys === null ? undefined : JSON.stringify(keys.publicKeys)
  const needs = agentNeeds(agent, { ...process.env, ...env })
  try {
    return await detached.start(command, words, {
      stdout: stream,
      stderr: errors,
      hosts: needs.hosts,
      env: { ...needs.env, ...env, [SIGNING_KEY_VARIABLE]: undefined, [ANSWER_KEYS_VARIABLE]: answerKeys },
    })
  } catch (error) {
    if (error instanceof AskError && error.code === 'CONFLICT') throw alreadyRuns(runId)
    await files.remove(folder)
    if (error instanceof AskError && error.code === 'NOT_FOUND' && command === 'sandagent')
      throw new AskError('NOT_FOUND', RUNNER_MISSING, { cause: error })
    throw error
  }
}

const RUNNER_MISSING =
  'There is no "sandagent" command on the PATH of the sandbox: npm install sandagent, or say where it is by `runner`'

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
    const paths = attemptPaths(sandbox, record.runId, record.attempt)
    const exit: ExitRecord = { exitCode, signal, endedAt: new Date(clock.now()).toISOString() }
    // A run that was removed meanwhile stays away.
    if (await sandbox.files.stat(paths.record))
      await sandbox.files.writeAtomic(paths.exit, JSON.stringify(exit))
  }
  await Promise.all([noteEnd(), limitLog(sandbox, record, { signal: gone.signal, clock })])
}

/** Looks at how the questions of a run ended, where nobody may have looked before. */
async function compareReceipts(
  sandbox: RunSandbox,
  { runId, attempt }: RunRecord,
  options: Pick<HostOptions, 'keys' | 'onWarning' | 'clock'>,
): Promise<void> {
  // A run that was removed meanwhile stays away.
  if (!(await sandbox.files.stat(attemptPaths(sandbox, runId, attempt).record))) return
  const channel = channelOf(sandbox, options)
  for (const record of await channel.questions())
    if (record.runId === runId && isSettled(record)) await channel.read(record.toolCallId)
}

const alreadyRuns = (runId: string): AskError =>
  new AskError('CONFLICT', 'This run goes on already', { facts: { runId } })
