import { AskError, MAX_FILE_BYTES } from '@sandagent/core/internal'
import { type OpenedFile, openSafely } from './open-safely.ts'

const MOST_AT_ONCE_BYTES = 64 * 1024
const ATTEMPTS = 3

/**
 * Reads a regular file, which an agent may have made, as UTF-8; `null` if it is missing. Never waits for a writer.
 *
 * @throws AskError `UNSAFE_PATH` for a link, folder, FIFO, socket or device, `TOO_LARGE` beyond 1 MiB, `INVALID_FILE` when
 *   it is being overwritten all the time.
 */
export async function readFileSafely(path: string): Promise<string | null> {
  const file = await openSafely(path)
  if (file === null) return null
  try {
    return new TextDecoder().decode(await readStable(file, path))
  } finally {
    await file.close()
  }
}

/** Reads until two results are equal, so that half of an overwritten file is not read. Times are too coarse to tell. */
async function readStable(file: OpenedFile, path: string): Promise<Uint8Array> {
  let before = await readAll(file, path)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const after = await readAll(file, path)
    if (after.equals(before)) return after
    before = after
  }
  throw new AskError('INVALID_FILE', 'This file is being overwritten', { facts: { path } })
}

async function readAll(file: OpenedFile, path: string): Promise<Buffer> {
  // One byte more than the file had: then one read finds all of a small file, and its end.
  const pieceBytes = Math.min(Math.max(file.size + 1, 1024), MOST_AT_ONCE_BYTES)
  const pieces: Buffer[] = []
  let length = 0
  while (length <= MAX_FILE_BYTES) {
    const piece = await file.read(length, pieceBytes)
    pieces.push(piece)
    length += piece.length
    if (piece.length < pieceBytes && length <= MAX_FILE_BYTES) return Buffer.concat(pieces)
  }
  throw new AskError('TOO_LARGE', `This file is longer than ${MAX_FILE_BYTES} bytes`, { facts: { path } })
}
