import { AskError, printable } from '@sandagent/core/internal'
import { usage } from './commands/read-options.ts'
import { suggestion } from './commands/suggestion.ts'
import type { CliIo } from './io.ts'
import { exitCodeAfter } from './signals.ts'
import { version } from './version.ts'

const HELP = `Usage: sandagent COMMAND [options]

Commands:
  run      Run an agent in a folder; it may ask, and waits for the answers
  relay    Serve a folder to a host on another machine
  mcp      Let an MCP client's agent ask: Codex, Gemini CLI, Cursor, opencode, Claude Code…

sandagent COMMAND --help tells more.  --version prints the version.
`

/** Loaded on demand: an MCP client may wait only a second for its server. */
interface Command {
  /** Resolves to an exit code if the command has its own. */
  run(args: readonly string[], io: CliIo): Promise<number | undefined>
  help(): Promise<string>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  run: {
    run: async (args, io) => (await import('./commands/run.ts')).run(args, io),
    help: async () => (await import('./commands/run-args.ts')).RUN_HELP,
  },
  relay: {
    run: async (args, io) => (await import('./commands/relay.ts')).relay(args, io),
    help: async () => (await import('./commands/relay-args.ts')).RELAY_HELP,
  },
  mcp: {
    run: async (args, io) => void (await (await import('./commands/mcp.ts')).mcp(args, io)),
    help: async () => (await import('./commands/mcp-args.ts')).MCP_HELP,
  },
}

/** Runs a command line and resolves to its exit code: 0, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  try {
    const text = await informationFor(args)
    if (text === null) return (await commandOf(args[0]).run(args.slice(1), io)) || exitCodeAfter(io.signal)
    io.stdout.write(text)
    return 0
  } catch (error) {
    if (io.signal.aborted) return exitCodeAfter(io.signal)
    io.stderr.write(`sandagent: ${printable(error instanceof Error ? error.message : String(error))}\n`)
    const isUsage = error instanceof AskError && error.code === 'INVALID_REQUEST'
    if (isUsage) io.stderr.write(`${helpFor(args[0])} tells how it is used.\n`)
    return isUsage ? 2 : 1
  }
}

/** The text for `--help` and `--version`; `null` for other command lines. */
async function informationFor(args: readonly string[]): Promise<string | null> {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (options[0] === '--version') return `${version()}\n`
  if (!options.includes('--help') && !options.includes('-h')) return null
  return options[0]?.startsWith('-') ? HELP : commandOf(options[0]).help()
}

const isCommand = (name: string | undefined): name is string =>
  name !== undefined && Object.hasOwn(COMMANDS, name)

const helpFor = (name: string | undefined): string =>
  isCommand(name) ? `sandagent ${name} --help` : 'sandagent --help'

function commandOf(name: string | undefined): Command {
  const command = isCommand(name) ? COMMANDS[name] : undefined
  if (command) return command
  if (name === undefined) throw usage('Which command?')
  throw usage(`There is no command ${name}${suggestion(name, Object.keys(COMMANDS))}`)
}
