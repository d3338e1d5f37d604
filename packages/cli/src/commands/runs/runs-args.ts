import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { milliseconds, usage } from '../../arguments/option-values.ts'
import { PLACE_OPTIONS } from '../places/place-options.ts'
import type { PlaceChoice } from '../places/places.ts'

const LIST_LINE = {
  usage: ['runs list [--json] [options]'],
  about: 'Lists runs and what became of them, the latest last.',
  options: { json: { help: 'prints one JSON object a line' }, ...PLACE_OPTIONS },
  examples: [
    ['runs list', 'lists the runs of every folder in which an agent ran'],
    ['runs list --workdir . --json', 'lists those of the current folder, for a program'],
  ],
} as const satisfies CommandLine

const LOGS_LINE = {
  usage: ['runs logs [RUN] [--follow] [--json] [options]'],
  about: 'Shows what a run has printed, as text. Default: the run that was started last.',
  options: {
    follow: { help: 'goes on until the run ends' },
    json: { help: "prints the chunks of the run's UI message stream, one a line" },
    ...PLACE_OPTIONS,
  },
  words: [],
  examples: [
    ['runs logs', 'shows the latest run'],
    ['runs logs run-1 --follow', 'follows a run'],
  ],
} as const satisfies CommandLine

const STOP_LINE = {
  usage: ['runs stop RUN [--reason TEXT] [options]'],
  about: 'Stops a run. Its open question is withdrawn, and its programs are ended.',
  options: { reason: { value: 'TEXT', help: 'why; the run keeps it' }, ...PLACE_OPTIONS },
  words: [],
  examples: [['runs stop run-1 --reason "It takes too long"', 'stops a run, and says why']],
} as const satisfies CommandLine

const PRUNE_LINE = {
  usage: ['runs prune [--older-than-ms N] [options]'],
  about:
    'Removes the logs of runs that ended long ago, but not their questions and answers. It prints what it removed.',
  options: {
    'older-than-ms': {
      value: 'N',
      help: 'how long ago a run must have ended, in milliseconds; default: seven days',
    },
    ...PLACE_OPTIONS,
  },
  examples: [
    ['runs prune --workdir . --older-than-ms 0', 'removes all runs of the current folder that have ended'],
  ],
} as const satisfies CommandLine

export const LIST: CommandLine = LIST_LINE
export const LOGS: CommandLine = LOGS_LINE
export const STOP: CommandLine = STOP_LINE
export const PRUNE: CommandLine = PRUNE_LINE

export interface ListArgs extends PlaceChoice {
  json?: boolean | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export const readListArgs = (args: readonly string[]): ListArgs => readCommandLine(LIST_LINE, args).values

export interface LogsArgs extends PlaceChoice {
  /** Absent: the latest. */
  runId: string | undefined
  follow?: boolean | undefined
  json?: boolean | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readLogsArgs(args: readonly string[]): LogsArgs {
  const { values, words } = readCommandLine(LOGS_LINE, args)
  return { ...values, runId: atMostOne(words) }
}

export interface StopArgs extends PlaceChoice {
  runId: string
  reason?: string | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readStopArgs(args: readonly string[]): StopArgs {
  const { values, words } = readCommandLine(STOP_LINE, args)
  const runId = atMostOne(words)
  if (runId === undefined) throw usage('Which run?')
  return { ...values, runId }
}

export interface PruneArgs extends PlaceChoice {
  olderThanMs: number | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readPruneArgs(args: readonly string[]): PruneArgs {
  const { 'older-than-ms': age, ...choice } = readCommandLine(PRUNE_LINE, args).values
  return { ...choice, olderThanMs: milliseconds('--older-than-ms', age) }
}

function atMostOne([first, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) throw usage(`One run at a time, not ${[first, ...more].join(' ')}`)
  return first
}
