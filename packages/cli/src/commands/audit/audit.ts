import { readFile } from 'node:fs/promises'
import { type Passkey, parsePasskeys, printableLine } from '@sandagent/core/internal'
import { type AuditReport, verifyAuditLog } from '@sandagent/sdk/audit'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { VERIFY } from './audit-args.ts'

/** Checks an audit log and prints what it found. Resolves to 1 if something is wrong. */
export async function verify(args: readonly string[], { stdout }: CliIo): Promise<number | undefined> {
  const { values, words: paths } = readCommandLine(VERIFY, args)
  const { expect = [], json = false, passkeys: file } = values
  if (paths.length === 0) throw usage('Which log? Name its folder, or files of it')
  for (const hash of expect)
    if (!/^[0-9a-f]{64}$/.test(hash))
      throw usage(`--expect takes a hash of 64 hexadecimal digits, not ${hash}`)
  const passkeys = file === undefined ? undefined : await passkeysIn(file)
  const report = await verifyAuditLog(paths, { expect, passkeys })
  stdout.write(
    json
      ? jsonLine(report)
      : linesOf(report)
          .map((line) => `${printableLine(line)}\n`)
          .join(''),
  )
  return report.faults.length > 0 ? 1 : undefined
}

async function passkeysIn(file: string): Promise<Passkey[]> {
  try {
    return parsePasskeys(await readFile(file, 'utf8'))
  } catch (error) {
    throw usage(`--passkeys ${file}: ${(error as Error).message}`, error)
  }
}

const linesOf = ({ files, decisions, signed, heads, faults, notes }: AuditReport): string[] => [
  ...faults.map(({ file, text }) => `✗ ${file}: ${text}`),
  ...notes.map((text) => `! ${text}`),
  ...(faults.length === 0
    ? [
        `✓ Nothing between the first and the last line was removed or changed: ${counted(decisions, 'decision')} in ${counted(files, 'file')}. Whether the end was cut off, --expect shows.`,
        ...(signed > 0 ? [`✓ Passkeys have signed ${counted(signed, 'decision')}.`] : []),
      ]
    : []),
  ...Object.entries(heads).map(([file, hash]) => `  The last line of ${file} has the hash ${hash}`),
]

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
