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
import type { CliIo } from './io.ts'
import { exitCodeAfter } from './signals.ts'
import { version } from './version.ts'

/** Loaded on demand: an MCP client may wait only a second for its server. */
export interface Command {
  about: string
  line(): Promise<CommandLine>
  /** Resolves to an exit code if the command has its own. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands have none
  run(args: readonly string[], io: CliIo): Promise<number | undefined | void>
}

/** By name. Commands whose names begin with the same word are a group. */
const COMMANDS: Readonly<Record<string, Command>> = {
  run: {
    about: 'Run an agent in a folder; it may ask, and waits for the answers',
    line: async () => (await import('./commands/run/run-args.ts')).RUN,
    run: async (...given) => (await import('./commands/run/run.ts')).run(...given),
  },
  questions: {
    about: 'List the questions that wait, of all folders or of those given',
    line: async () => (await import('./commands/questions/questions-args.ts')).QUESTIONS,
    run: async (...given) => (await import('./commands/questions/questions.ts')).questions(...given),
  },
  answer: {
    about: 'Answer a question, in a form or by options',
    line: async () => (await import('./commands/questions/answer-args.ts')).ANSWER,
    run: async (...given) => (await import('./commands/questions/answer.ts')).answer(...given),
  },
  serve: {
    about: 'Serve the inbox: a page with the questions of all folders',
    line: async () => (await import('./commands/serve/serve-args.ts')).SERVE,
    run: async (...given) => (await import('./commands/serve/serve.ts')).serve(...given),
  },
  'runs list': {
    about: 'List runs, and what became of them',
    line: async () => (await import('./commands/runs/runs-args.ts')).LIST,
    run: async (...given) => (await import('./commands/runs/runs.ts')).list(...given),
  },
  'runs logs': {
    about: 'Show what a run has printed, or follow it',
    line: async () => (await import('./commands/runs/runs-args.ts')).LOGS,
    run: async (...given) => (await import('./commands/runs/logs.ts')).logs(...given),
  },
  'runs stop': {
    about: 'Stop a run',
    line: async () => (await import('./commands/runs/runs-args.ts')).STOP,
    run: async (...given) => (await import('./commands/runs/runs.ts')).stop(...given),
  },
  'runs prune': {
    about: 'Remove the logs of old runs',
    line: async () => (await import('./commands/runs/runs-args.ts')).PRUNE,
    run: async (...given) => (await import('./commands/runs/runs.ts')).prune(...given),
  },
  'notices test': {
    about: 'Send one notice to everybody by every sink',
    line: async () => (await import('./commands/notices/notices-args.ts')).TEST,
    run: async (...given) => (await import('./commands/notices/notices.ts')).test(...given),
  },
  'notices failed': {
    about: 'List the notices that could not be sent',
    line: async () => (await import('./commands/notices/notices-args.ts')).FAILED,
    run: async (...given) => (await import('./commands/notices/notices.ts')).failed(...given),
  },
  'notices retry': {
    about: 'Let notices that could not be sent be sent again',
    line: async () => (await import('./commands/notices/notices-args.ts')).RETRY,
    run: async (...given) => (await import('./commands/notices/notices.ts')).retry(...given),
  },
  'audit verify': {
    about: 'Check that no line of an audit log was removed or changed',
    line: async () => (await import('./commands/audit/audit-args.ts')).VERIFY,
    run: async (...given) => (await import('./commands/audit/audit.ts')).verify(...given),
  },
  mcp: {
    about: "Let an MCP client's agent ask: Codex, Gemini CLI, Cursor, opencode, Claude Code…",
    line: async () => (await import('./commands/mcp/mcp-args.ts')).MCP,
    run: async (...given) => (await import('./commands/mcp/mcp.ts')).mcp(...given),
  },
  doctor: {
    about: 'Look whether this machine and a folder are fit for agents that ask',
    line: async () => (await import('./commands/doctor/doctor-args.ts')).DOCTOR,
    run: async (...given) => (await import('./commands/doctor/doctor.ts')).doctor(...given),
  },
  init: {
    about: 'Add the files of a first agent that asks to a project',
    line: async () => (await import('./commands/init/init-args.ts')).INIT,
    run: async (...given) => (await import('./commands/init/init.ts')).init(...given),
  },
  relay: {
    about: 'Serve a folder to a host on another machine',
    line: async () => (await import('./commands/relay/relay-args.ts')).RELAY,
    run: async (...given) => (await import('./commands/relay/relay.ts')).relay(...given),
  },
  completion: {
    about: 'Print what completes command lines in bash, zsh or fish',
    line: async () => (await import('./commands/completion/completion-args.ts')).COMPLETION,
    run: async (args, io) =>
      (await import('./commands/completion/completion.ts')).completion(args, io, COMMANDS),
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

/** Runs a command line and resolves to its exit code: 0, that of an error, or that of a signal, such as 130 after Ctrl-C. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  if (args.length === 0) {
    io.stderr.write(helpOf(namesIn('')))
    return 2
  }
  let stopLog = (): void => {}
  try {
    const level = process.env.SANDAGENT_LOG
    if (level) stopLog = (await import('./log.ts')).startLog(level, io.stderr)
    const text = await informationFor(args)
    if (text === null) {
      const name = commandIn(args)
      const exitCode = await COMMANDS[name]?.run(args.slice(name.split(' ').length), io)
      return exitCode || exitCodeAfter(io.signal)
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
  if (options[0] === '--version') return `${version()}\n`
  if (!options.includes('--help') && !options.includes('-h')) return null
  const [first = '', second = ''] = options
  if (first.startsWith('-')) return helpOf(namesIn(''))
  if (!(first in COMMANDS) && second.startsWith('-') && namesIn(first).length > 0)
    return helpOf(namesIn(first))
  const line = await COMMANDS[commandIn(options)]?.line()
  return line ? (await import('./arguments/help-text.ts')).helpText(line) : null
}

const helpOf = (names: readonly string[]): string => {
  const width = Math.max(...names.map((name) => name.length)) + 4
  return `Usage: sandagent COMMAND [options]

Commands:
${names.map((name) => `  ${name}`.padEnd(width) + COMMANDS[name]?.about).join('\n')}

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
