import { isAbsolute } from 'node:path'
import {
  AGENT_NAMES,
  checkOptions,
  filledText,
  invalid,
  isObject,
  mapOf,
  type OptionNames,
  parseWith,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { isRunId, RUN_ID_RULE } from '../../run-records/run-paths.ts'

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
  /**
   * The `sandagent` command inside the sandbox, then any number of arguments before its own. Programs and scripts are names
   * or absolute paths. Default: on this machine what is installed beside the host, or else `sandagent` on the `PATH`.
   */
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

/** An argument that names a file: `./run`, or a script of Node. */
const SCRIPT = /^\.{1,2}\/|\.[cm]?[jt]s$/

const isRelative = (word: string, file: RegExp): boolean => file.test(word) && !isAbsolute(word)

const texts = v.array(v.string())

const schema = v.object({
  agent: filledText,
  args: v.optional(texts),
  prompt: v.string(),
  runId: v.optional(v.pipe(v.string(), v.check(isRunId, RUN_ID_RULE))),
  runner: v.optional(
    v.pipe(
      texts,
      v.minLength(1, 'the name of a program'),
      v.check(
        ([command = '', ...args]) =>
          !isRelative(command, /\//) && !args.some((word) => isRelative(word, SCRIPT)),
        'absolute paths: a relative one would be looked for in the workdir',
      ),
    ),
  ),
  metadata: v.optional(mapOf(v.string())),
  owner: v.optional(filledText),
  continues: v.optional(texts),
  env: v.optional(mapOf(v.optional(v.string()))),
  passEnv: v.optional(texts),
  maxLogBytes: v.optional(v.pipe(v.number(), v.minValue(1, 'a number from 1 on'))),
})

const NAMES = Object.fromEntries(
  Object.keys(schema.entries).map((name) => [name, true]),
) as OptionNames<RunRequest>

/** What a run has beside its request. A run can be started again by what `readRun` gives: these facts change nothing. */
const FACTS = new Set(['attempt', 'startedAt', 'endedAt', 'state', 'reason', 'exitCode', 'signal', 'damage'])

/**
 * Refuses unknown names, and values of wrong types, before anything is started. @throws AskError `INVALID_REQUEST` with every
 * fault.
 */
export function checkRunRequest(request: unknown): void {
  const named = isObject(request)
    ? Object.fromEntries(Object.entries(request).filter(([name]) => !FACTS.has(name)))
    : request
  checkOptions('startRun: its request', named, NAMES)
  const what = 'This run cannot be started'
  checkAgentName(what, parseWith(schema, request, 'INVALID_REQUEST', what))
}

/** Refuses an agent that `sandagent run` does not have. A runner that is given may have other ones. */
export function checkAgentName(what: string, { agent, runner }: { agent: string; runner?: unknown }): void {
  if (runner === undefined && !AGENT_NAMES.some((name) => name === agent))
    throw invalid('INVALID_REQUEST', what, [{ path: 'agent', expected: `one of ${AGENT_NAMES.join(', ')}` }])
}
