import { printableLine } from '@sandagent/core/internal'
import { type AuditReport, verifyAuditLog } from '@sandagent/sdk/audit'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { VERIFY } from './audit-args.ts'

/** Checks an audit log and prints what it found. Resolves to 1 if something is wrong. */
export async function verify(args: readonly string[], { stdout }: CliIo): Promise<number | undefined> {
  const { values, words: paths } = readCommandLine(VERIFY, args)
  const { expect = [], json = false } = values
  if (paths.length === 0) throw usage('Which log? Name its folder, or files of it')
  for (const hash of expect)
    if (!/^[0-9a-f]{64}$/.test(hash))
      throw usage(`--expect takes a hash of 64 hexadecimal digits, not ${hash}`)
  const report = await verifyAuditLog(paths, { expect })
  stdout.write(
    json
      ? jsonLine(report)
      : linesOf(report)
          .map((line) => `${printableLine(line)}\n`)
          .join(''),
  )
  return report.faults.length > 0 ? 1 : undefined
}

const linesOf = ({ files, decisions, heads, faults, notes }: AuditReport): string[] => [
  ...faults.map(({ file, text }) => `✗ ${file}: ${text}`),
  ...notes.map((text) => `! ${text}`),
  ...(faults.length === 0
    ? [`✓ Nothing was removed or changed: ${counted(decisions, 'decision')} in ${counted(files, 'file')}.`]
    : []),
  ...Object.entries(heads).map(([file, hash]) => `  The last line of ${file} has the hash ${hash}`),
]

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
