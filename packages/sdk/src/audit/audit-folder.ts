import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { AskError, failedWith } from '@sandagent/core/internal'
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

/** When a file of this name was begun, in milliseconds. */
export function timeInName(name: string): number {
  const date = name.replace(/^audit-(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3}Z).*$/, '$1-$2-$3:$4:$5.$6')
  return Date.parse(date) || 0
}

/** What is read of a file: `null` where there is no whole line. */
export interface FileEnds {
  size: number
  first: AuditLine | null
  last: AuditLine | null
}

/** The first and the last whole line of a file. */
export function endsOf(path: string): FileEnds {
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    const head = readMore(size, (length) => textAt(fd, 0, length), hasLine)
    const tail = readMore(size, (length) => textAt(fd, size - length, length), hasLineBetween)
    const firstEnd = head.indexOf('\n')
    // What stands behind the last line end was cut off in the middle.
    const lastEnd = tail.lastIndexOf('\n')
    const lastStart = tail.lastIndexOf('\n', lastEnd - 1) + 1
    return { size, first: wholeLine(head, 0, firstEnd), last: wholeLine(tail, lastStart, lastEnd) }
  } finally {
    closeSync(fd)
  }
}

/** How many bytes are read at first: most lines are shorter. */
const FIRST_BYTES = 4096

const hasLine = (text: string): boolean => text.includes('\n')
const hasLineBetween = (text: string): boolean => text.indexOf('\n') !== text.lastIndexOf('\n')

/** Reads more and more, until it is enough, or as long as a line may be. */
function readMore(
  size: number,
  read: (length: number) => string,
  isEnough: (text: string) => boolean,
): string {
  const most = Math.min(size, MAX_LINE_BYTES)
  for (let length = Math.min(most, FIRST_BYTES); ; length = Math.min(most, length * 8)) {
    const text = read(length)
    if (length === most || isEnough(text)) return text
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

/** A file of a log. */
export interface AuditFile extends FileEnds {
  name: string
}

/**
 * The files of a folder, the oldest first. One that cannot be read is left out.
 *
 * @param onError called with what keeps a file from being read
 */
export function readFolder(folder: string, onError: (error: unknown) => void): AuditFile[] {
  return auditFiles(folder).flatMap((name) => {
    const path = join(folder, name)
    try {
      return [{ name, ...endsOf(path) }]
    } catch (cause) {
      // Another log may have removed it meanwhile.
      if (!failedWith(cause, ['ENOENT']))
        onError(
          unreadable(path, cause, 'The next file does not name its end. Give it to the user of this process'),
        )
      return []
    }
  })
}

/** @param advice what follows from it, and what to do */
export const unreadable = (path: string, cause: unknown, advice: string): AskError =>
  new AskError(
    'UNREACHABLE',
    `The audit file ${path} cannot be read: ${(cause as Error).message}. ${advice}`,
    { facts: { path }, cause },
  )

/** The last lines that no other of these files names: by file name, their hashes. */
export function headsOf(files: readonly AuditFile[]): Record<string, string> {
  const named = new Set(files.flatMap(({ first }) => (first ? hashesIn(first, 'after') : []).map(String)))
  return Object.fromEntries(
    files.flatMap(({ name, last }) =>
      last && !named.has(String([name, last.hash])) ? [[name, last.hash]] : [],
    ),
  )
}
