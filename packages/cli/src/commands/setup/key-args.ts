import type { CommandLine } from '../../arguments/command-line.ts'

export const KEY = {
  summary: 'Make a key that hosts sign answers with',
  usage: ['key'],
  about:
    'Prints a new private key. Hosts on several machines share one in the variable SANDAGENT_SIGNING_KEY. A host on one machine makes its own, and needs none of this.',
  options: {},
  examples: [['key >signing-key.json', 'keeps it in a file: let nobody else read that']],
} as const satisfies CommandLine
