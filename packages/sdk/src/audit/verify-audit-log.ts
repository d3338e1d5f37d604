import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AskError, checkOptions, failedWith, type Passkey } from '@sandagent/core/internal'
import { auditFiles, endsOf, unreadable } from './audit-folder.ts'
import { hashesIn } from './audit-line.ts'
import { type AuditFault, checkFile, type FoundProof, MOST_FAULTS } from './check-file.ts'

export interface AuditReport {
  files: number
  /** Lines with a decision. */
  decisions: number
  /** Those that a passkey has signed. */
  signed: number
  /** The last line of each file that no other file names: its hash, by file name. Keep them elsewhere: they prove the end. */
  heads: Readonly<Record<string, string>>
  /** What is wrong. At most 100 faults. */
  faults: AuditFault[]
  /** What has a reason, such as a line that a crash cut off, or files that were removed to keep fewer. */
  notes: string[]
}

/**
 * Checks an audit log: whether lines or files were removed, changed, added or moved, and whether passkeys have signed what it
 * says. For that it needs `@simplewebauthn/server`.
 *
 * @param paths folders of a log, or some files of one
 * @param options.expect hashes that must stand in the log, such as the `heads` of an earlier report
 * @param options.passkeys the passkeys that count, with their people. Default: each, by the public key in its line
 * @throws AskError `NOT_FOUND` for a path that does not exist, and for a folder without a file of an audit log; `UNREACHABLE`
 *   for a file that cannot be read.
 */
export async function verifyAuditLog(
  paths: readonly string[],
  options: { expect?: readonly string[] | undefined; passkeys?: readonly Passkey[] | undefined } = {},
): Promise<AuditReport> {
  checkOptions('verifyAuditLog: its options', options, { expect: 'list', passkeys: 'list' })
  const { expect = [], passkeys } = options
  const found = paths.map(filesIn)
  const files = found.flatMap(({ files }) => files)
  const names = new Set(files.map((path) => basename(path)))
  const { named, removed } = await namedBy(files)
  const absent = new Set(expect)
  const heads = new Map<string, string>()
  const proofs = new Map<unknown, FoundProof>()
  const report: AuditReport = {
    files: files.length,
    decisions: 0,
    signed: 0,
    heads: {},
    faults: [],
    notes: [],
  }

  for (const path of files) {
    const name = basename(path)
    const wanted = new Map(named.filter(({ file }) => file === name).map(({ hash, by }) => [hash, by]))
    const missing = new Map(wanted)
    const onHash = (hash: string): void => {
      missing.delete(hash)
      absent.delete(hash)
    }
    const checked = await ifThere(path, () => checkFile(path, onHash, passkeys, proofs))
    if (!checked) {
      report.notes.push(`${path} was removed while the log was checked.`)
      continue
    }
    report.decisions += checked.decisions
    report.signed += checked.signed
    report.faults.push(...checked.faults)
    report.notes.push(...checked.notes)
    for (const by of missing.values())
      report.faults.push(lack(path, `A line that ${by} names is missing: the end was cut off or replaced.`))
    if (checked.last !== '' && !wanted.has(checked.last)) heads.set(name, checked.last)
  }

  const isWhole = found.some(({ isFolder }) => isFolder)
  for (const { file, by } of removed)
    if (!names.has(file)) report.notes.push(`${file} was removed to keep fewer files, as ${by} says.`)
  for (const { file, by } of named) {
    if (names.has(file) || removed.some((other) => other.file === file)) continue
    if (isWhole) report.faults.push(lack(file, `The file is missing: ${by} names it.`))
    else report.notes.push(`${file}, which ${by} names, was not given.`)
  }
  const why = removed.length > 0 ? ' Its file may have been removed to keep fewer.' : ''
  for (const hash of absent) report.faults.push(lack(paths.join(', '), `No line has the hash ${hash}.${why}`))
  return { ...report, heads: Object.fromEntries(heads), faults: report.faults.slice(0, MOST_FAULTS) }
}

const lack = (file: string, text: string): AuditFault => ({ file, line: 0, kind: 'missing', text })

/** That one file says which line another one has. */
interface Naming {
  file: string
  hash: string
  /** The file that says so. */
  by: string
}

async function namedBy(paths: readonly string[]): Promise<{ named: Naming[]; removed: Naming[] }> {
  const openings = await Promise.all(
    paths.map(async (path) => ({
      by: basename(path),
      first: (await ifThere(path, () => endsOf(path)))?.first,
    })),
  )
  const all = (name: 'after' | 'removed'): Naming[] =>
    openings.flatMap(({ by, first }) =>
      first ? hashesIn(first, name).map(([file, hash]) => ({ file, hash, by })) : [],
    )
  return { named: all('after'), removed: all('removed') }
}

/** What is read of a file; `null` if it is gone: a log that keeps few files removes old ones. */
async function ifThere<T>(path: string, read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (cause) {
    if (failedWith(cause, ['ENOENT'])) return null
    throw unreadable(path, cause, 'Check it as the user who writes the log')
  }
}

function filesIn(path: string): { files: string[]; isFolder: boolean } {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat)
    throw new AskError(
      'NOT_FOUND',
      `There is no file or folder ${path}. Name the folder that the log was given`,
      { facts: { path } },
    )
  if (!stat.isDirectory()) return { files: [path], isFolder: false }
  const files = auditFiles(path).map((name) => join(path, name))
  if (files.length > 0) return { files, isFolder: true }
  throw new AskError(
    'NOT_FOUND',
    `The folder ${path} has no file of an audit log. Name the folder that the log was given`,
    { facts: { path } },
  )
}
