import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { oneOf, usage } from '../../arguments/option-values.ts'

const STARTS = ['terminal', 'express', 'next'] as const

/** The kinds of projects that there are files for. */
export type Start = (typeof STARTS)[number]

const LINE = {
  usage: ['init [terminal|express|next]'],
  about:
    'Adds the smallest files with which an agent asks to the project in the current folder: those of the starts in the documentation. Without a word, package.json decides. A file that exists stays as it is.',
  options: {},
  words: STARTS,
  examples: [
    ['init', 'adds what fits the project'],
    ['init terminal', 'adds one program that asks'],
  ],
} as const satisfies CommandLine

export const INIT: CommandLine = LINE

/** The kind of project, if the command line names it. @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readInitArgs(args: readonly string[]): Start | undefined {
  const { words } = readCommandLine(LINE, args)
  if (words.length > 1) throw usage(`One kind of project at a time, not ${words.join(' ')}`)
  return words[0] === undefined ? undefined : oneOf('init', words[0], STARTS)
}
