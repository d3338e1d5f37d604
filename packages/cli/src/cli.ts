import {
  AskError,
  type AskErrorCode,
  failedWith,
  NO_ROOM_EXIT_CODE,
  printable,
} from '@sandagent/core/internal'
import type { CommandLine } from './arguments/command-line.ts'
import { usage } from './arguments/option-values.ts'
import { suggestion } from './arguments/suggestion.ts'
import { VERIFY } from './commands/audit/audit-args.ts'
import { COMPLETION } from './commands/completion/completion-args.ts'
import { DOCTOR } from './commands/doctor/doctor-args.ts'
import { GRANTS_LIST, GRANTS_REVOKE } from './commands/grants/grants-args.ts'
import { MCP } from './commands/mcp/mcp-args.ts'
import { FAILED, RETRY, TEST } from './commands/notices/notices-args.ts'
import { ANSWER } from './commands/questions/answer-args.ts'
import { QUESTIONS } from './commands/questions/questions-args.ts'
import { SECRET } from './commands/questions/secret-args.ts'
import { RELAY } from './commands/relay/relay-args.ts'
import { RUN } from './commands/run/run-args.ts'
import { LIST, LOGS, PRUNE, STOP } from './commands/runs/runs-args.ts'
import { SERVE } from './commands/serve/serve-args.ts'
import { INIT } from './commands/setup/init-args.ts'
import { KEY } from './commands/setup/key-args.ts'
import { PASSKEYS_ADD, PASSKEYS_ENV, PASSKEYS_LIST, PASSKEYS_REMOVE } from './commands/setup/passkeys-args.ts'
import type { CliIo } from './io.ts'
import { exitCodeAfter } from './signals.ts'
import { version } from './version.ts'

interface Command {
  line: CommandLine
  /** Loads it when it is called: an MCP client may wait only a second for its server. */
  load(): Promise<Run>
}

/** Runs a command. Resolves to an exit code if it has its own. */
type Run = (
  args: readonly string[],
  io: CliIo,
  commands: Readonly<Record<string, Command>>,
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands have none
) => Promise<number | undefined | void>

/** By name. Commands whose names begin with the same word are a group. */
const COMMANDS: Readonly<Record<string, Command>> = {
  run: { line: RUN, load: async () => (await import('./commands/run/run.ts')).run },
  questions: {
    line: QUESTIONS,
    load: async () => (await import('./commands/questions/questions.ts')).questions,
  },
  answer: { line: ANSWER, load: async () => (await import('./commands/questions/answer.ts')).answer },
  secret: { line: SECRET, load: async () => (await import('./commands/questions/secret.ts')).secret },
  serve: { line: SERVE, load: async () => (await import('./commands/serve/serve.ts')).serve },
  'runs list': { line: LIST, load: async () => (await import('./commands/runs/runs.ts')).list },
  'runs logs': { line: LOGS, load: async () => (await import('./commands/runs/logs.ts')).logs },
  'runs stop': { line: STOP, load: async () => (await import('./commands/runs/runs.ts')).stop },
  'runs prune': { line: PRUNE, load: async () => (await import('./commands/runs/runs.ts')).prune },
  'notices test': { line: TEST, load: async () => (await import('./commands/notices/notices.ts')).test },
  'notices failed': {
    line: FAILED,
    load: async () => (await import('./commands/notices/notices.ts')).failed,
  },
  'notices retry': { line: RETRY, load: async () => (await import('./commands/notices/notices.ts')).retry },
  'grants list': { line: GRANTS_LIST, load: async () => (await import('./commands/grants/grants.ts')).list },
  'grants revoke': {
    line: GRANTS_REVOKE,
    load: async () => (await import('./commands/grants/grants.ts')).revoke,
  },
  'passkeys list': {
    line: PASSKEYS_LIST,
    load: async () => (await import('./commands/setup/passkeys.ts')).list,
  },
  'passkeys add': {
    line: PASSKEYS_ADD,
    load: async () => (await import('./commands/setup/passkeys.ts')).add,
  },
  'passkeys remove': {
    line: PASSKEYS_REMOVE,
    load: async () => (await import('./commands/setup/passkeys.ts')).remove,
  },
  'passkeys env': {
    line: PASSKEYS_ENV,
    load: async () => (await import('./commands/setup/passkeys.ts')).env,
  },
  'audit verify': { line: VERIFY, load: async () => (await import('./commands/audit/audit.ts')).verify },
  mcp: { line: MCP, load: async () => (await import('./commands/mcp/mcp.ts')).mcp },
  doctor: { line: DOCTOR, load: async () => (await import('./commands/doctor/doctor.ts')).doctor },
  init: { line: INIT, load: async () => (await import('./commands/setup/init.ts')).init },
  key: { line: KEY, load: async () => (await import('./commands/setup/key.ts')).key },
  relay: { line: RELAY, load: async () => (await import('./commands/relay/relay.ts')).relay },
  completion: {
    line: COMPLETION,
    load: async () => (await import('./commands/completion/completion.ts')).completion,
  },
}

/** The exit code of an error that has one of its own. All others end with 1. */
const EXIT_CODES: Partial<Record<AskErrorCode, number>> = {
  INVALID_REQUEST: 2,
  INVALID_ANSWERS: 2,
  CONFLICT: 3,
  GONE: 3,
  CHANGED: 3,
  UNREACHABLE: 4,
}

/** A disk that is full takes no error message, so the exit code says so. */
const NO_ROOM = ['ENOSPC', 'EDQUOT']

/** Why this version of Node cannot run the command; `null` for one that can. */
export function nodeFault(node: string): string | null {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isFit = major > 20 || (major === 20 && minor >= 19)
  return isFit ? null : `This is Node ${node}. Install Node 20.19 or newer`
}

/** Runs a command line and resolves to its exit code: 0, that of an error, or that of a signal, such as 130 after Ctrl-C. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  if (args.length === 0) {
    io.stderr.write(helpOf(namesIn('')))
    return 2
  }
  let stopLog = (): void => {}
  try {
    const fault = nodeFault(process.versions.node)
    if (fault) throw new Error(fault)
    const level = process.env.SANDAGENT_LOG
    if (level) stopLog = (await import('./log.ts')).startLog(level, io.stderr)
    const text = await informationFor(args)
    if (text === null) {
      const name = commandIn(args)
      const run = await COMMANDS[name]?.load()
      const code = await run?.(args.slice(name.split(' ').length), io, COMMANDS)
      return exitCodeAfter(io.signal) || (code ?? 0)
    }
    io.stdout.write(text)
    return 0
  } catch (error) {
    if (io.signal.aborted) return exitCodeAfter(io.signal)
    io.stderr.write(`sandagent: ${printable(error instanceof Error ? error.message : String(error))}\n`)
    const code = error instanceof AskError ? error.code : undefined
    if (code === 'INVALID_REQUEST') io.stderr.write(`${helpFor(args)} tells how it is used.\n`)
    if (failedWith(code === undefined ? error : (error as AskError).cause, NO_ROOM)) return NO_ROOM_EXIT_CODE
    return (code && EXIT_CODES[code]) ?? 1
  } finally {
    stopLog()
  }
}

/** The text for `--help` and `--version`; `null` for other command lines. */
async function informationFor(args: readonly string[]): Promise<string | null> {
  if (args[0] === 'help') return informationFor([...args.slice(1), '--help'])
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const [first = '', second = ''] = options
  if (first === '--version') return `${version()}\n`
  if (!options.includes('--help') && !options.includes('-h')) return null
  if (first.startsWith('-')) return helpOf(namesIn(''))
  const names = namesIn(first)
  if (!names.includes(first) && second.startsWith('-') && names.length > 0) return helpOf(names)
  const line = COMMANDS[commandIn(options)]?.line
  return line ? (await import('./arguments/help-text.ts')).helpText(line) : null
}

const helpOf = (names: readonly string[]): string => {
  const width = Math.max(...names.map((name) => name.length)) + 4
  return `Usage: sandagent COMMAND [options]

Commands:
${names.map((name) => `  ${name}`.padEnd(width) + COMMANDS[name]?.line.summary).join('\n')}

sandagent COMMAND --help tells more.  --version prints the version.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 too late, 4 out of reach: try again, ${NO_ROOM_EXIT_CODE} the disk is full.
`
}

/** The commands of a group, the command itself, or all of them for an empty word. */
const namesIn = (word: string): string[] =>
  Object.keys(COMMANDS).filter((name) => word === '' || name === word || name.startsWith(`${word} `))

const helpFor = ([first = '', second = '']: readonly string[]): string => {
  const known = [`${first} ${second}`, first].find((name) => name !== '' && namesIn(name).length > 0)
  return known === undefined ? 'sandagent --help' : `sandagent ${known} --help`
}

/** @throws AskError `INVALID_REQUEST` for what is no command. */
function commandIn([first = '', second = '']: readonly string[]): string {
  const names = namesIn(first)
  if (names.length === 0) {
    const words = Object.keys(COMMANDS).map((name) => name.replace(/ .*/, ''))
    throw usage(`There is no command ${first}${suggestion(first, words)}`)
  }
  if (names.includes(first)) return first
  const name = `${first} ${second}`
  if (names.includes(name)) return name
  if (second === '' || second.startsWith('-')) throw usage(`Which one: ${names.join(', ')}?`)
  throw usage(`There is no command ${name}${suggestion(name, names)}`)
}
