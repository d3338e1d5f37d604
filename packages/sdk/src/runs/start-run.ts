import {
  AskError,
  backgroundClock,
  beginOperation,
  type Clock,
  checkOptions,
  MAX_FILE_BYTES,
  type OptionNames,
  observed,
  PUBLIC_KEYS_VARIABLE,
  TRACEPARENT_VARIABLE,
} from '@sandagent/core/internal'
import { logError, logWarning, type OnWarning } from '../answers/warnings.ts'
import { type EnteredRun, enterFleet, type FleetOption } from '../fleet/enter-fleet.ts'
import { attemptPaths, newRunId } from '../run-records/run-paths.ts'
import { MAX_LOG_BYTES, type RunRecord } from '../run-records/run-records.ts'
import { checkSandbox } from '../sandbox/check-sandbox.ts'
import type { DetachedProgram } from '../sandbox/detached-programs.ts'
import { SIGNING_KEY_VARIABLE } from '../sandbox/host-config.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { loadSigningKeys } from '../signing/load-signing-keys.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { enterWorkdir, KNOWN_WORKDIRS_VARIABLE } from '../workdirs/workdirs.ts'
import { agentNeeds } from './agent-needs.ts'
import { claimStart, orConflict } from './claim-start.ts'
import { beginLog, copyLog } from './copy-log.ts'
import { describeRun, type Run } from './run.ts'
import { refuseWrongTypes } from './run-request.ts'
import { compareReceipts, watchOver } from './watch-over.ts'

/** The task of an agent, and how its runner is started. */
export interface RunRequest {
  /** The agent's name, as `sandagent run --agent` takes it. */
  agent: string
  /** Its arguments: `['--scenario', 'build.json']`, or `['--', 'sh', 'agent.sh']` for the agent `command`. */
  args?: readonly string[] | undefined
  /** The user's prompt. */
  prompt: string
  /** Default: a new id. The id of a run that has ended starts that run again: it adopts its open question or the answer. */
  runId?: string | undefined
  /** The `sandagent` command inside the sandbox, then any number of arguments before its own. Default `['sandagent']`. */
  runner?: RunnerCommand | undefined
  /** Facts about the run for later use by the host, such as the chat that it belongs to. */
  metadata?: Readonly<Record<string, string>> | undefined
  /** Who starts the run, by the name that `authorize` gives. A rule of a policy can let this person answer. Default: nobody. */
  owner?: string | undefined
  /** Earlier runs whose open questions and answers this run may adopt. It may always adopt its own. */
  continues?: readonly string[] | undefined
  /**
   * Variables of the runner and its agent, inside the sandbox, wherever that is. They are added to those that the sandbox
   * gives its programs; `undefined` removes one. They are stored nowhere.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /**
   * Names of variables of this process's environment to pass on, such as `ANTHROPIC_API_KEY`. Default: on this machine those
   * of `agentNeeds`, elsewhere none.
   */
  passEnv?: readonly string[] | undefined
  /** The run is stopped when it prints more than this, in bytes. Default 64 MiB. */
  maxLogBytes?: number | undefined
}

/** A program inside the sandbox, then its first arguments: any number of them, or no argument. */
export type RunnerCommand = readonly [string, ...string[]]

export interface StartOptions {
  /** Called for failures after the start. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  /** Called when the run has ended, if this process still runs. */
  onEnd?: ((run: Run) => void) | undefined
  /** Called after the run for each receipt of an answer that this host did not store. Default: a line by `console.error`. */
  onWarning?: OnWarning | undefined
  /** Its timers should not keep the process running. */
  clock?: Clock | undefined
  /**
   * Sign the answers to the run; its runner then accepts only signed answers. Default: this host's own signing keys, which
   * are made if there are none; `null` for a run that accepts unsigned answers.
   */
  signingKeys?: SigningKeys | null | undefined
  /** Ask in the store of a fleet instead of in files. Default: files. */
  fleet?: FleetOption | undefined
}

const NAMES: OptionNames<StartOptions> = {
  onError: 'function',
  onEnd: 'function',
  onWarning: 'function',
  clock: 'clock',
  signingKeys: true,
  fleet: true,
}

/**
 * Starts an agent that goes on without this process: detached, and its UI stream in a file that `streamRun` shows. The run's
 * record is written before the agent begins.
 *
 * @throws AskError `INVALID_REQUEST` for a value of the wrong type, a text that is no run id, or invalid arguments;
 *   `TOO_LARGE`; `CONFLICT` while the run goes on already; `NOT_FOUND` when there is no such runner.
 */
export async function startRun(
  sandbox: RunSandbox,
  request: RunRequest,
  options: StartOptions = {},
): Promise<Run> {
  checkOptions('startRun: its options', options, NAMES)
  refuseWrongTypes(request)
  checkSandbox(sandbox)
  const {
    onError = logError,
    onEnd,
    onWarning = logWarning,
    clock = backgroundClock,
    signingKeys,
    fleet,
  } = options
  const {
    runId = newRunId(),
    agent,
    args = [],
    prompt,
    metadata = {},
    owner,
    maxLogBytes = MAX_LOG_BYTES,
  } = request
  const signing =
    signingKeys === undefined
      ? await loadSigningKeys({ create: true, outside: sandbox.hostFolder })
      : signingKeys
  const attempt = await claimStart(sandbox, runId, clock)
  const { hostFolder, stateFolder } = sandbox
  if (hostFolder !== undefined) await enterWorkdir({ workdir: hostFolder, stateFolder }, { onWarning })
  const publicKeyIds = signing?.publicKeys.keys.flatMap(({ kid = [] }) => kid)
  const facts = {
    version: 1,
    runId,
    attempt,
    agent,
    args,
    prompt,
    metadata,
    startedAt: new Date(clock.now()).toISOString(),
    maxLogBytes,
    ...(publicKeyIds && { publicKeyIds }),
    ...(owner !== undefined && { owner }),
  } as const
  const { continues = [] } = request
  let entered: EnteredRun | undefined
  const observation = beginOperation({ name: 'start', runId, agent })
  const enter = async (): Promise<EnteredRun['env']> => {
    entered =
      fleet && (await enterFleet(sandbox, fleet, { ...facts, continues }, { signingKeys: signing, clock }))
    const traceparent = observation?.traceparent
    return { ...entered?.env, ...(traceparent !== undefined && { [TRACEPARENT_VARIABLE]: traceparent }) }
  }
  const { record, ended } = await observed(observation, () =>
    launch(sandbox, facts, request, signing, enter),
  ).catch((error: unknown) => {
    // Not awaited: it may take minutes, and its failure must not hide this one.
    entered?.end().catch(onError)
    throw error
  })
  const logs = fleet?.store.logs
  if (logs) {
    // Other hosts may stream the run as soon as it has started.
    await beginLog(record, logs).catch(onError)
    copyLog(sandbox, record, logs, { signal: new AbortController().signal, clock }).catch(onError)
  }
  const over = watchOver(sandbox, record, ended, clock)
  // The log's limit may fail while the run goes on.
  Promise.allSettled([over, ended])
    .then(() => entered?.end())
    .catch(onError)
  over
    .then(async () => {
      onEnd?.(await describeRun(sandbox, record))
      await compareReceipts(sandbox, record, { signingKeys: signing, onWarning, clock })
    })
    .catch(onError)
  return describeRun(sandbox, record)
}

/** Enters the run in its fleet, writes the record, then starts the runner. Removes everything if that fails. */
async function launch(
  sandbox: RunSandbox,
  facts: Omit<RunRecord, 'process'>,
  request: RunRequest,
  signingKeys: SigningKeys | null,
  enter: () => Promise<EnteredRun['env']>,
): Promise<{ record: RunRecord; ended: DetachedProgram['ended'] }> {
  const { files, detached } = sandbox
  const { runId, attempt } = facts
  const { folder, claim, record: path, stream, errors } = attemptPaths(sandbox, runId, attempt)
  let record: RunRecord | undefined
  const write = async (process: string): Promise<void> => {
    const written = { ...facts, process }
    await orConflict(runId, files.writeAtomic(path, JSON.stringify(written, null, 2), { exclusive: true }))
    record = written
  }
  try {
    if (Buffer.byteLength(JSON.stringify(facts)) > MAX_FILE_BYTES / 2)
      throw new AskError(
        'TOO_LARGE',
        `What this run is about takes more than ${MAX_FILE_BYTES / 2} bytes. Shorten its prompt, arguments and metadata`,
        { facts: { runId } },
      )
    const env = { ...request.env, ...(await enter()) }
    const { command, args, ...surroundings } = runnerOf(sandbox, facts, { ...request, env }, signingKeys)
    const program = await detached
      .start(command, args, { ...surroundings, stdout: stream, stderr: errors, beforeStart: write })
      .catch((error: unknown) => {
        if (error instanceof AskError && error.code === 'NOT_FOUND' && command === 'sandagent')
          throw new AskError('NOT_FOUND', RUNNER_MISSING, { cause: error })
        throw error
      })
    if (record) return { record, ended: program.ended }
    await detached.kill(program.handle)
    throw new TypeError(
      'The detached programs of this sandbox do not call beforeStart. Call it with the handle before the program begins',
    )
  } catch (error) {
    // After a conflict the place of the record is taken: another host has skipped this start.
    if (!(error instanceof AskError && error.code === 'CONFLICT')) {
      await files.remove(folder)
      await files.remove(claim)
    }
    throw error
  }
}

const RUNNER_MISSING =
  'There is no "sandagent" command on the PATH of the sandbox: npm install sandagent, or say where it is by `runner`'

function runnerOf(
  { workdir, stateFolder, sweepAfterMs, hostFolder }: RunSandbox,
  { runId, agent, args, prompt }: Omit<RunRecord, 'process'>,
  { runner: [command, ...before] = ['sandagent'], env = {}, passEnv, continues = [] }: RunRequest,
  signingKeys: SigningKeys | null,
) {
  const own = ['run', '--agent', agent, '--workdir', workdir, '--run-id', runId, '--format', 'stream']
  // Each in one word: a prompt that begins with a dash would be read as an option.
  const earlier = continues.map((earlierRun) => `--continues=${earlierRun}`)
  const state = stateFolder === undefined ? [] : [`--state-folder=${stateFolder}`]
  const sweep = sweepAfterMs === undefined ? [] : [`--sweep-after-ms=${sweepAfterMs || 'never'}`]
  const passed = passEnv && Object.fromEntries(passEnv.map((name) => [name, process.env[name]]))
  const isHere = hostFolder !== undefined
  const needs = agentNeeds(agent, { ...(passed ?? (isHere ? process.env : {})), ...env })
  return {
    command,
    args: [...before, ...own, ...state, ...sweep, ...earlier, `--prompt=${prompt}`, ...args],
    hosts: needs.hosts,
    env: {
      ...needs.env,
      ...passed,
      ...env,
      [SIGNING_KEY_VARIABLE]: undefined,
      [KNOWN_WORKDIRS_VARIABLE]: 'off', // The host has entered it, if it is here.
      [PUBLIC_KEYS_VARIABLE]: signingKeys === null ? undefined : JSON.stringify(signingKeys.publicKeys),
    },
  }
}
