import { DEFAULT_TIMEOUT_MS, DEFAULT_TIMEOUT_POLICY, type TimeoutMs } from '@sandagent/core/internal'
import type { SweepOption } from '@sandagent/files/internal'
import type { TimeoutPolicy } from '@sandagent/runner'
import type { ClaudeAgentOptions } from '@sandagent/runner/claude'
import type { IsolationLevel } from '@sandagent/sdk'
import { milliseconds, ON_TIMEOUT, oneOf, readOptions, sweepTime, usage } from './read-options.ts'

export const RUN_HELP = `Usage: sandagent run --scenario FILE [options] -- PROMPT
       sandagent run --agent claude [options] -- PROMPT
       sandagent run --agent command [options] -- PROGRAM [ARGUMENT…]

Runs an agent in a folder. In a terminal it prints text and asks there; a question can be answered anywhere else too,
and the first answer counts. Without a terminal it prints an AI SDK UI message stream.

Options:
  --agent NAME        scripted (default): follows a scenario, without a model
                      claude: Claude Code, by @anthropic-ai/claude-agent-sdk
                      command: a program that asks by printing lines of JSON
  --scenario FILE     what the scripted agent does, as JSON
  --prompt TEXT       the prompt, where a program stands in its place
  --workdir DIR       where it works; default: the current folder
  --state-folder NAME its folder for questions, answers and runs; default: .sandagent
  --run-id ID         the same again adopts the questions that a broken run left open
  --continues RUN     an earlier run whose open questions this one may take up, where
                      answers are signed
  --timeout-ms N      how long a question waits untouched, in milliseconds; default: for ever
  --on-timeout WAY    partial (default): go on with what was entered; defaults: and with
                      the questions' defaults; decline: with nothing
  --sweep-after-ms N  removes settled questions that old, in milliseconds, or never;
                      default: seven days
  --format FORMAT     text (default in a terminal) or stream
  --isolation LEVEL   strict: keeps the agent in the folder, or fails; auto: where that works;
                      none (default). It takes the format stream

Options of --agent claude:
  --model MODEL           default: the one that Claude Code takes
  --system-prompt TEXT    default: that of Claude Code
  --allowed-tools A,B     what runs without asking, such as Read,Bash(git log:*)
  --resume SESSION        goes on with a session, without a prompt with its open question
  --defer-after-ms N      ends the run when a question has no answer for N milliseconds;
                          --resume goes on with it
  --unattended            nobody is there: no questions, and no permissions
`

export type AgentArgs =
  | { name: 'scripted'; scenario: string }
  | { name: 'claude'; options: ClaudeAgentOptions }
  | { name: 'command'; command: string; args: string[] }

export interface RunArgs {
  agent: AgentArgs
  workdir: string
  stateFolder: string | undefined
  runId: string | undefined
  continues: readonly string[]
  timeoutMs: TimeoutMs
  timeoutPolicy: TimeoutPolicy
  sweepAfterMs: SweepOption['sweepAfterMs']
  format: 'text' | 'stream'
  isolation: IsolationLevel
  prompt: string
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function parseRunArgs(args: readonly string[], { isTerminal }: { isTerminal: boolean }): RunArgs {
  const { values, positionals } = parse(args)
  const name = oneOf('--agent', values.agent, ['scripted', 'claude', 'command'])
  const words = name === 'command' ? [] : positionals
  if (values.prompt !== undefined && words.length > 0) throw usage('The prompt is given twice')
  const format = oneOf('--format', values.format ?? (isTerminal ? 'text' : 'stream'), ['text', 'stream'])
  const isolation = oneOf('--isolation', values.isolation, ['none', 'auto', 'strict'])
  if (isolation !== 'none' && format === 'text')
    throw usage('--isolation takes --format stream: a terminal is asked by the process that runs the agent')
  return {
    agent: agentWith(name, values, positionals),
    workdir: values.workdir,
    stateFolder: values['state-folder'],
    runId: values['run-id'],
    continues: values.continues ?? [],
    timeoutMs: milliseconds('--timeout-ms', values['timeout-ms']) ?? DEFAULT_TIMEOUT_MS,
    timeoutPolicy: oneOf('--on-timeout', values['on-timeout'], ON_TIMEOUT),
    sweepAfterMs: sweepTime(values['sweep-after-ms']),
    format,
    isolation,
    prompt: values.prompt ?? words.join(' '),
  }
}

type Values = ReturnType<typeof parse>['values']

/** The options that only one agent takes. */
const OWN_OPTIONS = {
  scripted: ['scenario'],
  claude: ['model', 'system-prompt', 'allowed-tools', 'resume', 'defer-after-ms', 'unattended'],
  command: [],
} as const satisfies Record<AgentArgs['name'], readonly (keyof Values)[]>

function refuseOptionsOfOthers(name: AgentArgs['name'], values: Values): void {
  for (const [other, options] of Object.entries(OWN_OPTIONS)) {
    const given = options.find((option) => values[option] !== undefined)
    if (other !== name && given !== undefined) throw usage(`--${given} is for --agent ${other}, not ${name}`)
  }
}

function agentWith(name: AgentArgs['name'], values: Values, positionals: string[]): AgentArgs {
  refuseOptionsOfOthers(name, values)
  if (name === 'command') return programIn(positionals)
  if (name === 'claude') return { name, options: claudeOptions(values) }
  if (values.scenario === undefined) throw usage('--scenario FILE is missing')
  return { name, scenario: values.scenario }
}

const claudeOptions = (values: Values): ClaudeAgentOptions => ({
  model: values.model,
  systemPrompt: values['system-prompt'],
  // A comma within parentheses belongs to a rule.
  allowedTools: values['allowed-tools']?.split(/,(?![^(]*\))/).map((rule) => rule.trim()),
  resume: values.resume,
  deferAfterMs: milliseconds('--defer-after-ms', values['defer-after-ms']),
  unattended: values.unattended,
})

function programIn([command, ...args]: string[]): AgentArgs {
  if (command === undefined) throw usage('-- PROGRAM is missing')
  return { name: 'command', command, args }
}

const parse = (args: readonly string[]) =>
  readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      agent: { type: 'string', default: 'scripted' },
      scenario: { type: 'string' },
      prompt: { type: 'string' },
      workdir: { type: 'string', default: '.' },
      'state-folder': { type: 'string' },
      'run-id': { type: 'string' },
      continues: { type: 'string', multiple: true },
      'timeout-ms': { type: 'string' },
      'on-timeout': { type: 'string', default: DEFAULT_TIMEOUT_POLICY },
      'sweep-after-ms': { type: 'string' },
      format: { type: 'string' },
      isolation: { type: 'string', default: 'none' },
      model: { type: 'string' },
      'system-prompt': { type: 'string' },
      'allowed-tools': { type: 'string' },
      resume: { type: 'string' },
      'defer-after-ms': { type: 'string' },
      unattended: { type: 'boolean' },
    },
  })
