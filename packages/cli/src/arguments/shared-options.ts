/** What commands that ask have in common. */
export const ASKING_OPTIONS = {
  'run-id': { value: 'ID', help: 'the run that asks; default: random' },
  'timeout-ms': {
    value: 'N',
    help: 'how long a question waits untouched, in milliseconds; default: for ever',
  },
  'on-timeout': {
    value: 'WAY',
    words: ['partial', 'defaults', 'decline'],
    help: "partial (default): go on with what was entered; defaults: and with the questions' defaults; decline: with nothing",
  },
  'sweep-after-ms': {
    value: 'N',
    help: 'removes settled questions that old, in milliseconds, or never; default: seven days',
  },
} as const
