import type { CommandLine } from '../../arguments/command-line.ts'
import { PLACE_OPTIONS } from '../../arguments/shared-options.ts'

export const LIST = {
  summary: 'List runs, and what became of them',
  usage: ['runs list [--json] [options]'],
  about: 'Lists runs and what became of them, the latest last.',
  options: { json: { help: 'prints one JSON object a line' }, ...PLACE_OPTIONS },
  examples: [
    ['runs list', 'lists the runs of every folder in which an agent ran'],
    ['runs list --workdir . --json', 'lists those of the current folder, for a program'],
  ],
} as const satisfies CommandLine

export const LOGS = {
  summary: 'Show what a run has printed, or follow it',
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

export const STOP = {
  summary: 'Stop a run',
  usage: ['runs stop RUN [--reason TEXT] [options]'],
  about: 'Stops a run. Its open question is withdrawn, and its programs are ended.',
  options: { reason: { value: 'TEXT', help: 'why; the run keeps it' }, ...PLACE_OPTIONS },
  words: [],
  examples: [['runs stop run-1 --reason "It takes too long"', 'stops a run, and says why']],
} as const satisfies CommandLine

export const PRUNE = {
  summary: 'Remove the logs of old runs',
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
