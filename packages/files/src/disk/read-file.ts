import { constants, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { AskError, errorCode, MAX_FILE_BYTES } from '@sandagent/core/internal'
import type { DiskCalls } from '../lib/disk-calls.ts'
import { isFresh } from '../watch/file-stamp.ts'
import { unsafePath } from './folder.ts'

/** Opening a FIFO would wait for its writer, and a link would lead elsewhere. Windows has neither flag. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** How much is read at least, in bytes. */
const LEAST = 1000
const ATTEMPTS = 3
const UTF8 = new TextDecoder()

/**
 * Uses a regular file, which an agent may have made; `null` if it is missing. Never waits for a writer.
 *
 * @param isThere it was there a moment ago
 * @throws AskError `UNSAFE_PATH` for a link, folder, FIFO, socket or device.
 */
export async function withFile<T>(
  calls: DiskCalls,
  path: string,
  use: (file: number, stats: Stats) => Promise<T>,
  isThere = false,
): Promise<T | null> {
  const file = await openOrNull(calls, path, isThere)
  if (file === null) return null
  try {
    const stats = await calls.stat(file)
    if (!stats.isFile()) throw unsafePath(path, 'it is no regular file')
    return await use(file, stats)
  } finally {
    await calls.close(file)
  }
}

async function openOrNull(calls: DiskCalls, path: string, isThere: boolean): Promise<number | null> {
  try {
    // Node's error takes several times as long as this look, and most answers are missing when they are looked for.
    if (calls.isLocal && !isThere && !(await calls.lstat(path))) return null
    return await calls.open(path, READ)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    if (code === 'ELOOP' || code === 'EMLINK') throw unsafePath(path, 'it is a link', error)
    if (code === 'ENXIO' || code === 'ENOTDIR') throw unsafePath(path, 'it is no regular file', error)
    throw error
  }
}

/**
 * Reads a file as {@link withFile} opens it, as UTF-8 with replacement characters; `null` if it is missing.
 *
 * @param keep gets what the file was before it was read, and its text
 * @throws AskError `UNSAFE_PATH`; `TOO_LARGE` beyond 1 MiB; `INVALID_FILE` when it is being overwritten all the time.
 */
export const readFileSafely = (
  calls: DiskCalls,
  path: string,
  keep: (stats: Stats, text: string) => void = () => {},
  isThere = false,
): Promise<string | null> => {
  const read = async (file: number, stats: Stats): Promise<string> => {
    const text = UTF8.decode(await readStable(calls, file, path, stats))
    keep(stats, text)
    return text
  }
  return withFile(calls, path, read, isThere)
}

/**
 * Reads until two results are equal, so that half of an overwritten file is not read: not if nobody wrote to it for a while.
 */
async function readStable(calls: DiskCalls, file: number, path: string, stats: Stats): Promise<Uint8Array> {
  let before = await readAll(calls, file, path, stats)
  if (calls.isLocal && !isFresh(stats) && before.length === stats.size) return before
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const after = await readAll(calls, file, path, stats)
    if (after.equals(before)) return after
    before = after
  }
  throw new AskError(
    'INVALID_FILE',
    `The file ${basename(path)} is being overwritten in place. Write another file, and rename it`,
    { facts: { path } },
  )
}

async function readAll(calls: DiskCalls, file: number, path: string, { size }: Stats): Promise<Buffer> {
  // The second one is for a file that has grown meanwhile.
  for (const most of [Math.min(Math.max(size, LEAST), MAX_FILE_BYTES) + 1, MAX_FILE_BYTES + 1]) {
    const bytes = Buffer.allocUnsafe(most)
    const length = await calls.read(file, bytes, 0)
    if (length < most) return bytes.subarray(0, length)
  }
  throw new AskError('TOO_LARGE', `The file ${basename(path)} is longer than ${MAX_FILE_BYTES} bytes`, {
    facts: { path },
  })
}
