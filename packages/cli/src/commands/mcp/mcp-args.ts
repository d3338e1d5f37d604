import { DEFAULT_TIMEOUT_MS, DEFAULT_TIMEOUT_POLICY, type TimeoutMs } from '@sandagent/core/internal'
import type { SweepOption } from '@sandagent/files/internal'
import type { TimeoutPolicy } from '@sandagent/runner'
import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { milliseconds, sweepTime, usage } from '../../arguments/option-values.ts'
import { ASKING_OPTIONS } from '../../arguments/shared-options.ts'

const OPTIONS = {
  workdir: { value: 'DIR', help: 'the folder in which the questions are asked' },
  'state-folder': { value: 'NAME', help: 'its folder for questions and answers; default: .sandagent' },
  via: {
    value: 'WAY',
    words: ['channel', 'client', 'auto'],
    help: "channel: in the folder (default with --workdir); client: in the client's form (default without); auto: in the client's form if it has one, else in the folder",
  },
  place: {
    value: 'TEXT',
    help: 'where people answer, such as: the chat at https://…; clients show it while they wait. Default: the folder',
  },
  ...ASKING_OPTIONS,
} as const

const LINE = {
  usage: ['mcp --workdir DIR [options]', 'mcp [options]'],
  about:
    'Offers the tool ask_user_question to the MCP client that starts it, on standard input and output. With a folder, the questions wait there for an answer from a page, a terminal or a host. Without a folder, the client shows them in its own forms (elicitation). The tool is not offered to clients without forms.',
  options: OPTIONS,
  examples: [
    ['mcp', "asks in the client's own forms"],
    ['mcp --workdir .', 'asks in this folder; sandagent answer, or a page, answers'],
  ],
} as const satisfies CommandLine

export const MCP: CommandLine = LINE

export interface McpArgs {
  workdir: string | undefined
  stateFolder: string | undefined
  via: 'channel' | 'client' | 'auto'
  place: string | undefined
  runId: string | undefined
  timeoutMs: TimeoutMs
  timeoutPolicy: TimeoutPolicy
  sweepAfterMs: SweepOption['sweepAfterMs']
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function parseMcpArgs(args: readonly string[]): McpArgs {
  const { values } = readCommandLine(LINE, args)
  const { workdir, via = workdir === undefined ? 'client' : 'channel' } = values
  if (via !== 'client' && workdir === undefined) throw usage(`--via ${via} needs --workdir DIR`)
  if (values['state-folder'] !== undefined && workdir === undefined)
    throw usage('--state-folder needs --workdir DIR')
  return {
    workdir,
    stateFolder: values['state-folder'],
    via,
    place: values.place,
    runId: values['run-id'],
    timeoutMs: milliseconds('--timeout-ms', values['timeout-ms']) ?? DEFAULT_TIMEOUT_MS,
    timeoutPolicy: values['on-timeout'] ?? DEFAULT_TIMEOUT_POLICY,
    sweepAfterMs: sweepTime(values['sweep-after-ms']),
  }
}
