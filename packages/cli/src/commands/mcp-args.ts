import { DEFAULT_TIMEOUT_MS, DEFAULT_TIMEOUT_POLICY, type TimeoutMs } from '@sandagent/core/internal'
import type { SweepOption } from '@sandagent/files/internal'
import type { TimeoutPolicy } from '@sandagent/runner'
import { milliseconds, ON_TIMEOUT, oneOf, readOptions, sweepTime, usage } from './read-options.ts'

export const MCP_HELP = `Usage: sandagent mcp --workdir DIR [options]
       sandagent mcp [options]

Offers the tool ask_user_question to the MCP client that starts it, on standard input and output. With a folder, the
questions wait there for an answer from a page, a terminal or a host. Without a folder, the client shows them in its
own forms (elicitation). The tool is not offered to clients without forms.

Options:
  --workdir DIR       the folder in which the questions are asked
  --state-folder NAME its folder for questions and answers; default: .sandagent
  --via WAY           channel: in the folder (default with --workdir); client: in the client's
                      form (default without); auto: in the client's form if it has one, else
                      in the folder
  --place TEXT        where people answer, such as: the chat at https://…; clients show
                      it while they wait. Default: the folder
  --run-id ID         the run that asks; default: random
  --timeout-ms N      how long a question waits untouched, in milliseconds; default: for ever
  --on-timeout WAY    partial (default): go on with what was entered; defaults: and with
                      the questions' defaults; decline: with nothing
  --sweep-after-ms N  removes settled questions that old, in milliseconds, or never;
                      default: seven days
`

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
  const { values } = readOptions({
    args: [...args],
    options: {
      workdir: { type: 'string' },
      'state-folder': { type: 'string' },
      via: { type: 'string' },
      place: { type: 'string' },
      'run-id': { type: 'string' },
      'timeout-ms': { type: 'string' },
      'on-timeout': { type: 'string', default: DEFAULT_TIMEOUT_POLICY },
      'sweep-after-ms': { type: 'string' },
    },
  })
  const { workdir, via = workdir === undefined ? 'client' : 'channel' } = values
  if (via !== 'client' && workdir === undefined) throw usage(`--via ${via} needs --workdir DIR`)
  if (values['state-folder'] !== undefined && workdir === undefined)
    throw usage('--state-folder needs --workdir DIR')
  return {
    workdir,
    stateFolder: values['state-folder'],
    via: oneOf('--via', via, ['channel', 'client', 'auto']),
    place: values.place,
    runId: values['run-id'],
    timeoutMs: milliseconds('--timeout-ms', values['timeout-ms']) ?? DEFAULT_TIMEOUT_MS,
    timeoutPolicy: oneOf('--on-timeout', values['on-timeout'], ON_TIMEOUT),
    sweepAfterMs: sweepTime(values['sweep-after-ms']),
  }
}
