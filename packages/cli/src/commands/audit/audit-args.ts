import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'

const LINE = {
  usage: ['audit verify FOLDER… [--expect HASH] [--json]'],
  about:
    'Checks an audit log: whether a line was removed, changed, added or moved. It prints the hash of the last line. Keep that hash elsewhere, and give it with --expect the next time: it shows that the end was not cut off.',
  options: {
    expect: { value: 'HASH', multiple: true, help: 'a hash that must stand in the log; may be given often' },
    json: { help: 'prints one JSON object' },
  },
  words: [],
  examples: [
    ['audit verify /var/log/agent-audit', 'checks all files of a log'],
    ['audit verify audit-20260131T093015123Z-9f86d081.jsonl', 'checks one file'],
  ],
} as const satisfies CommandLine

export const VERIFY: CommandLine = LINE

export interface VerifyArgs {
  paths: string[]
  expect: readonly string[]
  json: boolean
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readVerifyArgs(args: readonly string[]): VerifyArgs {
  const { values, words } = readCommandLine(LINE, args)
  if (words.length === 0) throw usage('Which log? Name its folder, or files of it')
  const { expect = [], json = false } = values
  for (const hash of expect)
    if (!/^[0-9a-f]{64}$/.test(hash))
      throw usage(`--expect takes a hash of 64 hexadecimal digits, not ${hash}`)
  return { paths: words, expect, json }
}
