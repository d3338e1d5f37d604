import type { CommandLine } from '../../arguments/command-line.ts'

export const VERIFY = {
  summary: 'Check that no line of an audit log was removed or changed',
  usage: ['audit verify FOLDER… [--expect HASH] [--passkeys FILE] [--json]'],
  about:
    'Checks an audit log: whether a line was removed, changed, added or moved. It also checks what passkeys have signed. It prints the hash of the last line. Keep that hash elsewhere, and give it with --expect the next time: it shows that the end was not cut off.',
  options: {
    expect: { value: 'HASH', multiple: true, help: 'a hash that must stand in the log; may be given often' },
    passkeys: {
      value: 'FILE',
      help: 'the passkeys that count, as passkeys list --json prints them; default: each, by the key in its line',
    },
    json: { help: 'prints one JSON object' },
  },
  words: [],
  examples: [
    ['audit verify /var/log/agent-audit', 'checks all files of a log'],
    ['audit verify audit-20260131T093015123Z-9f86d081.jsonl', 'checks one file'],
  ],
} as const satisfies CommandLine
