import { printableLine } from '@sandagent/core/internal'
import { type AuditReport, verifyAuditLog } from '@sandagent/sdk/audit'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { readVerifyArgs } from './audit-args.ts'

/**
 * Checks an audit log and prints what it found.
 *
 * @returns 1 if something is wrong
 * @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` as `verifyAuditLog` does
 */
export async function verify(args: readonly string[], { stdout }: CliIo): Promise<number | undefined> {
  const { paths, expect, json } = readVerifyArgs(args)
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
