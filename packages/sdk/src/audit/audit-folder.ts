import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditLine, hashesIn, MAX_LINE_BYTES, readLine } from './audit-line.ts'

const FILE_NAME = /^audit-\d{8}T\d{9}Z-[0-9a-f]{8}\.jsonl$/

/** The name of a new file, such as `audit-20260131T093015123Z-9f86d081.jsonl`. Names sort by time. */
export const auditFileName = (now: number, random: string): string =>
  `audit-${new Date(now).toISOString().replace(/[-:.]/g, '')}-${random}.jsonl`

/** The names of the files in a folder, the oldest first. */
export const auditFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort()

/** The first and the last whole line of a file; `null` where there is none. */
export function endsOf(path: string): { first: AuditLine | null; last: AuditLine | null } {
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    const length = Math.min(size, MAX_LINE_BYTES)
    const head = textAt(fd, 0, length)
    const tail = textAt(fd, size - length, length)
    const firstEnd = head.indexOf('\n')
    // What stands behind the last line end was cut off in the middle.
    const lastEnd = tail.lastIndexOf('\n')
    const lastStart = tail.lastIndexOf('\n', lastEnd - 1) + 1
    return { first: wholeLine(head, 0, firstEnd), last: wholeLine(tail, lastStart, lastEnd) }
  } finally {
    closeSync(fd)
  }
}

const wholeLine = (text: string, from: number, to: number): AuditLine | null => {
  const read = to === -1 ? null : readLine(text.slice(from, to))
  return read?.isWhole ? read.line : null
}

function textAt(fd: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length)
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, position))
}

/** The last lines that no other file in the folder names: by file name, their hashes. */
export function headsIn(folder: string, names: readonly string[]): Record<string, string> {
  const ends = names.map((name) => ({ name, ...endsOf(join(folder, name)) }))
  const named = new Set(ends.flatMap(({ first }) => (first ? hashesIn(first, 'after') : []).map(String)))
  return Object.fromEntries(
    ends.flatMap(({ name, last }) =>
      last && !named.has(String([name, last.hash])) ? [[name, last.hash]] : [],
    ),
  )
}
