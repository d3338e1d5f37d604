// Why it is so: docs/decisions/0087-each-audit-log-writes-files-of-its-own.md

import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  AskError,
  type Clock,
  checkOptions,
  failedWith,
  type OptionNames,
  systemClock,
} from '@sandagent/core/internal'
import { makeFolder } from '@sandagent/files/internal'
import { logError } from '../answers/warnings.ts'
import type { Decision } from '../http/audit.ts'
import { type AuditFile, auditFileName, headsOf, readFolder, timeInName } from './audit-folder.ts'
import { type LoggedDecision, type OpenedLine, sealLine } from './audit-line.ts'
import { createRefusalLimit } from './refusal-limit.ts'

export interface AuditLogOptions {
  /** Where the files are. It is made if it is missing, for this user alone. Several processes may share it. */
  folder: string
  /** How many bytes a file may have before the next one begins; the same for all logs of a folder. Default: 10 MiB. */
  maxBytes?: number | undefined
  /** How many files stay. Older ones are removed, once they are full or got no line for a day. Default: all. */
  keep?: number | undefined
  /**
   * Called with each failure: one to write a decision has the decision in its `facts`, one of another file has its path.
   * Default: `console.error`.
   */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

export interface AuditLog {
  /**
   * Appends a decision. It is in the hands of the system when this returns, so it survives the end of this process. Of the
   * refusals of one minute, 100 are written for each person and 100 for all others: the next line says how many were left out.
   */
  write: (decision: Decision) => void
  /** Syncs the file to the disk and closes it. What is written later begins another file. */
  close: () => void
}

const NAMES: OptionNames<AuditLogOptions> = {
  folder: 'folder',
  maxBytes: true,
  keep: true,
  onError: 'function',
  clock: 'clock',
}

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024
const DAY_MS = 86_400_000

/** An open file, and the end of its chain. */
interface OpenFile {
  name: string
  fd: number
  size: number
  seq: number
  previous: string
}

/**
 * A log of decisions for `onDecision`: lines of JSON in the files of a folder. Each line has the hash of the line before,
 * and each file the hashes of the files before. `verifyAuditLog` finds what was removed, changed or moved.
 *
 * Each log writes files of its own, so processes never wait for each other. The first decision makes the first file.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, `UNSAFE_PATH` when there can be no such folder.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  checkOptions('createAuditLog', options, NAMES)
  const {
    folder,
    keep = Number.POSITIVE_INFINITY,
    maxBytes = DEFAULT_MAX_BYTES,
    onError = logError,
    clock = systemClock,
  } = options
  if (options.keep !== undefined && !(Number.isSafeInteger(keep) && keep > 0))
    throw new AskError('INVALID_REQUEST', `createAuditLog: keep is a number of files from 1, not ${keep}`)
  makeFolder(resolve(folder), 0o700)
  let file: OpenFile | null = null
  let missed = 0
  const refusals = createRefusalLimit(clock)

  const append = (to: OpenFile, content: LoggedDecision | OpenedLine): void => {
    const { text, hash } = sealLine({ seq: to.seq + 1, previous: to.previous }, content)
    const bytes = Buffer.from(`${text}\n`)
    for (let written = 0; written < bytes.length; ) written += writeSync(to.fd, bytes, written)
    Object.assign(to, { size: to.size + bytes.length, seq: to.seq + 1, previous: hash })
  }

  /** Whether nothing writes to a file any more: another process may share the folder. */
  const hasEnded = ({ size, name, last }: AuditFile): boolean =>
    size >= maxBytes || (Date.parse(String(last?.content.at)) || timeInName(name)) <= clock.now() - DAY_MS

  const begin = (): OpenFile => {
    const now = clock.now()
    makeFolder(resolve(folder), 0o700)
    const files = readFolder(folder, onError)
    const outdated = files.filter(hasEnded).slice(0, Math.max(0, files.length + 1 - keep))
    const removed = Object.fromEntries(outdated.map(({ name, last }) => [name, last?.hash ?? '']))
    // After a clock went back, the new file is still the last one.
    const name = auditFileName(
      Math.max(now, ...files.slice(-1).map(({ name }) => timeInName(name) + 1)),
      randomBytes(4).toString('hex'),
    )
    // It gets its name when its first line is on the disk, so no file of a log is empty.
    const hidden = join(folder, `.${name}`)
    const fd = openSync(hidden, 'ax', 0o600)
    const begun: OpenFile = { name, fd, size: 0, seq: 0, previous: '' }
    try {
      append(begun, {
        at: new Date(now).toISOString(),
        action: 'opened',
        after: headsOf(files),
        ...(outdated.length > 0 && { removed }),
        ...(missed > 0 && { missed }),
      })
      fsyncSync(fd)
      renameSync(hidden, join(folder, name))
      syncFolder(folder)
    } catch (error) {
      closeSync(fd)
      for (const path of [hidden, join(folder, name)]) rmSync(path, { force: true })
      throw error
    }
    missed = 0
    // Only now: the new file says which are gone, and what their last lines were.
    for (const { name } of outdated) attempt(() => removeFile(join(folder, name)), onError)
    return begun
  }

  const end = (): void => {
    const ended = file
    file = null
    if (!ended) return
    try {
      fsyncSync(ended.fd)
    } finally {
      closeSync(ended.fd)
    }
  }

  return {
    write(decision) {
      const leftOut = refusals.take(decision)
      if (leftOut === null) return
      try {
        // A file that somebody removed would take the line with it.
        if (file && (file.size >= maxBytes || fstatSync(file.fd).nlink === 0)) end()
        file ??= begin()
        append(file, leftOut > 0 ? { ...decision, leftOut } : decision)
      } catch (cause) {
        missed += 1
        // A line may stand there in part. It ends its file.
        attempt(end, onError)
        onError(unwritten(folder, decision, cause))
      }
    },
    close: () => attempt(end, onError),
  }
}

function attempt(action: () => void, onError: (error: unknown) => void): void {
  try {
    action()
  } catch (error) {
    onError(error)
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (cause) {
    const message = `The old audit file ${path} cannot be removed: ${(cause as Error).message}. Remove it by hand`
    throw new AskError('UNREACHABLE', message, { facts: { path }, cause })
  }
}

/** Makes the name of a new file durable. Not every system can sync a folder. */
function syncFolder(folder: string): void {
  let fd: number | undefined
  try {
    fd = openSync(folder, 'r')
    fsyncSync(fd)
  } catch (error) {
    if (!failedWith(error, ['EISDIR', 'EPERM', 'EACCES', 'EINVAL'])) throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

const unwritten = (folder: string, decision: Decision, cause: unknown): AskError =>
  new AskError(
    'UNREACHABLE',
    `A decision could not be written to the audit log in ${folder}: ${(cause as Error).message}. Make room, or mend the folder; the next decision tries again`,
    { facts: { path: folder, decision }, cause },
  )
