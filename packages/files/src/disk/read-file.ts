import { basename } from 'node:path'
import { AskError, MAX_FILE_BYTES } from '@sandagent/core/internal'
import { breathe } from '../lib/breathe.ts'
import { openSafely } from './create-file.ts'
import { type DiskCalls, diskCalls } from './disk-calls.ts'
import { atFile, openFileAtOnce } from './folder.ts'

/** Most files fit into the first chunk. */
const FIRST_CHUNK_BYTES = 4000
const CHUNK_BYTES = 64 * 1024
const ATTEMPTS = 3
const UTF8 = new TextDecoder()

/**
 * Reads a regular file, which an agent may have made, as UTF-8 with replacement characters; `null` if it is missing. Never
 * waits for a writer.
 *
 * @throws AskError `UNSAFE_PATH` for a link, folder, FIFO, socket or device, `TOO_LARGE` beyond 1 MiB, `INVALID_FILE` when
 *   it is being overwritten all the time.
 */
export async function readFileSafely(calls: DiskCalls, path: string): Promise<string | null> {
  const file = await openSafely(calls, path)
  return file === null ? null : textOf(calls, file, path)
}

/** Reads a file below `root` as {@link readFileSafely} does. None of its folders may be a link. */
export async function readBeneath(root: string, path: string): Promise<string | null> {
  const calls = diskCalls(root)
  await breathe()
  const file = await openFileAtOnce(calls, root, path)
  if (file === 'missing') return null
  return file === null ? atFile(root, path, (held) => readFileSafely(calls, held)) : textOf(calls, file, path)
}

async function textOf(calls: DiskCalls, file: number, path: string): Promise<string> {
  try {
    return UTF8.decode(await readStable(calls, file, path))
  } finally {
    await calls.close(file)
  }
}

/** Reads until two results are equal, so that half of an overwritten file is not read. Times are too coarse to tell. */
async function readStable(calls: DiskCalls, file: number, path: string): Promise<Uint8Array> {
  let before = await readAll(calls, file, path)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const after = await readAll(calls, file, path)
    if (after.equals(before)) return after
    before = after
  }
  throw new AskError(
    'INVALID_FILE',
    `The file ${basename(path)} is being overwritten in place. Write another file, and rename it`,
    { facts: { path } },
  )
}

async function readAll(calls: DiskCalls, file: number, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  while (length <= MAX_FILE_BYTES) {
    const chunk = Buffer.allocUnsafe(length === 0 ? FIRST_CHUNK_BYTES : CHUNK_BYTES)
    const bytesRead = await calls.read(file, chunk, length)
    chunks.push(chunk.subarray(0, bytesRead))
    length += bytesRead
    if (bytesRead < chunk.length && length <= MAX_FILE_BYTES) return Buffer.concat(chunks)
  }
  throw new AskError('TOO_LARGE', `The file ${basename(path)} is longer than ${MAX_FILE_BYTES} bytes`, {
    facts: { path },
  })
}
