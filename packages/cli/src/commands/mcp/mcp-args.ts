import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import { ASKING_OPTIONS, askingOf, STATE_FOLDER_OPTION } from '../../arguments/shared-options.ts'

export const MCP = {
  summary: "Let an MCP client's agent ask: Codex, Gemini CLI, Cursor, opencode, Claude Code…",
  usage: ['mcp --workdir DIR [options]', 'mcp [options]'],
  about:
    'Offers the tool ask_user_question to the MCP client that starts it, on standard input and output. With a folder, the questions wait there for an answer from a page, a terminal or a host. Without a folder, the client shows them in its own forms (elicitation). The tool is not offered to clients without forms.',
  options: {
    workdir: { value: 'DIR', help: 'the folder in which the questions are asked' },
    ...STATE_FOLDER_OPTION,
    via: {
      value: 'WAY',
      words: ['channel', 'client', 'auto'],
      help: "channel: in the folder (default with --workdir); client: in the client's form (default without); auto: in the client's form if it has one, else in the folder",
    },
    place: {
      value: 'TEXT',
      help: 'where people answer, such as: the chat at https://…; clients show it while they wait. Default: the folder',
    },
    tickets: {
      help: 'the model may ask in the folder without waiting: it gets a ticket, goes on, and looks for the answer with check_question',
    },
    ...ASKING_OPTIONS,
  },
  examples: [
    ['mcp', "asks in the client's own forms"],
    ['mcp --workdir .', 'asks in this folder; sandagent answer, or a page, answers'],
  ],
} as const satisfies CommandLine

export function parseMcpArgs(args: readonly string[]) {
  const { values } = readCommandLine(MCP, args)
  const { workdir, via = workdir === undefined ? 'client' : 'channel' } = values
  if (via !== 'client' && workdir === undefined) throw usage(`--via ${via} needs --workdir DIR`)
  if (values['state-folder'] !== undefined && workdir === undefined)
    throw usage('--state-folder needs --workdir DIR')
  if (values.tickets && via === 'client') throw usage('--tickets needs --workdir DIR')
  return {
    workdir,
    tickets: values.tickets,
    stateFolder: values['state-folder'],
    via,
    place: values.place,
    ...askingOf(values),
  }
}
