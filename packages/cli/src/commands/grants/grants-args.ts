import type { CommandLine } from '../../arguments/command-line.ts'

export const GRANTS_LIST = {
  summary: 'List the permissions for more than one call',
  usage: ['grants list [--json]'],
  about:
    'Lists the permissions that people gave for more than one call, with their uses, the latest first. They end by themselves, or by grants revoke. What has ended is listed for a week.',
  options: { json: { help: 'prints one JSON object a line' } },
  examples: [['grants list', 'says what agents may do without asking, and how often they did']],
} as const satisfies CommandLine

export const GRANTS_REVOKE = {
  summary: 'Take permissions for more than one call back',
  usage: ['grants revoke ID…', 'grants revoke --all'],
  about: 'Takes permissions back. The next call asks a person again.',
  options: { all: { help: 'takes all of them back' } },
  words: [],
  examples: [
    ['grants revoke 0123456789abcdef', 'takes one back; grants list has the ids'],
    ['grants revoke --all', 'lets every agent ask again'],
  ],
} as const satisfies CommandLine
