import type { CommandLine } from '../../arguments/command-line.ts'

/** The kinds of projects that there are files for. */
export const PROJECTS = ['terminal', 'python', 'sh', 'express', 'next'] as const

export const INIT = {
  summary: 'Add the files of a first agent that asks to a project',
  usage: ['init [terminal|python|sh|express|next]'],
  about:
    'Adds the smallest files with which an agent asks to the project in the current folder: those of the starts in the documentation. Without a word, package.json decides. A file that exists stays as it is.',
  options: {},
  words: PROJECTS,
  examples: [
    ['init', 'adds what fits the project'],
    ['init terminal', 'adds one program that asks'],
  ],
} as const satisfies CommandLine
