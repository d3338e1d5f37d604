import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'

/** The option of commands that need the settings of notices. */
export const NOTICES_OPTION = {
  notices: {
    value: 'FILE',
    help: 'the settings of notices; default: notices.json in the folder for the configuration of sandagent',
  },
} as const

const TEST_LINE = {
  usage: ['notices test [--notices FILE]'],
  about: 'Sends one notice to everybody by every sink, and says what came of it.',
  options: NOTICES_OPTION,
  examples: [['notices test', 'tries the settings that sandagent serve uses']],
} as const satisfies CommandLine

const FAILED_LINE = {
  usage: ['notices failed [--json]'],
  about: 'Lists the notices that could not be sent, the latest last. They are kept for 30 days.',
  options: { json: { help: 'prints one JSON object a line' } },
  examples: [['notices failed', 'says who was not told, of what, and why']],
} as const satisfies CommandLine

const RETRY_LINE = {
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

export const TEST: CommandLine = TEST_LINE
export const FAILED: CommandLine = FAILED_LINE
export const RETRY: CommandLine = RETRY_LINE

/** @throws AskError `INVALID_REQUEST` that says what is wrong */
export const readTestArgs = (args: readonly string[]): { notices: string | undefined } =>
  readCommandLine(TEST_LINE, args).values

/** @throws AskError `INVALID_REQUEST` that says what is wrong */
export const readFailedArgs = (args: readonly string[]): { json: boolean | undefined } =>
  readCommandLine(FAILED_LINE, args).values

/** @throws AskError `INVALID_REQUEST` that says what is wrong */
export const readRetryArgs = (args: readonly string[]): { ids: string[] } => ({
  ids: readCommandLine(RETRY_LINE, args).words,
})
