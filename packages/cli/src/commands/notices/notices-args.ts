import type { CommandLine } from '../../arguments/command-line.ts'
import { NOTICES_OPTION } from '../../arguments/shared-options.ts'

export const TEST = {
  summary: 'Send one notice to everybody by every sink',
  usage: ['notices test [--notices FILE]'],
  about: 'Sends one notice to everybody by every sink, and says what came of it.',
  options: NOTICES_OPTION,
  examples: [['notices test', 'tries the settings that sandagent serve uses']],
} as const satisfies CommandLine

export const FAILED = {
  summary: 'List the notices that could not be sent',
  usage: ['notices failed [--json]'],
  about: 'Lists the notices that could not be sent, the latest last. They are kept for 30 days.',
  options: { json: { help: 'prints one JSON object a line' } },
  examples: [['notices failed', 'says who was not told, of what, and why']],
} as const satisfies CommandLine

export const RETRY = {
  summary: 'Let notices that could not be sent be sent again',
  usage: ['notices retry [ID…]'],
  about:
    'Lets notices that could not be sent be sent again, if their questions still wait. Default: all of them. sandagent serve sends them within a minute.',
  options: {},
  words: [],
  examples: [
    ['notices retry', 'sends all of them again, for instance after the mail server was mended'],
    ['notices retry 0123456789abcdef0123456789abcdef', 'sends one again'],
  ],
} as const satisfies CommandLine
