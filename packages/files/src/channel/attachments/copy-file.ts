import { createHash } from 'node:crypto'
import {
  type Attachment,
  attachmentFileName,
  bytesOf,
  errorCode,
  FILE_ROOM,
  type FileLoss,
  inPieces,
} from '@sandagent/core/internal'
import type { StoredFiles } from '@sandagent/core/store'

/**
 * Copies a file that an answer names from one store to another one.
 *
 * @returns why it is not there then; `null` if it is
 * @throws AskError `UNREACHABLE`
 */
export async function copyFile(
  { readFile }: Pick<StoredFiles, 'readFile'>,
  { writeFile }: Pick<StoredFiles, 'writeFile'>,
  toolCallId: string,
  file: Attachment,
): Promise<FileLoss | null> {
  const name = attachmentFileName(file)
  const bytes = bytesOf(file.size, (at) => readFile(toolCallId, name, at))
  try {
    await writeFile(toolCallId, inPieces(asNamed(bytes, file)), () => name, FILE_ROOM)
    return null
  } catch (error) {
    if (error === GONE) return 'gone'
    if (error === CHANGED) return 'changed'
    if (errorCode(error) === 'TOO_LARGE') return 'no-room'
    throw error
  }
}

const GONE = new Error('There are no bytes')
const CHANGED = new Error('These are other bytes than an answer says')

/** The same bytes. It throws if they are others: at the latest after the last one. */
async function* asNamed(bytes: AsyncIterable<Uint8Array>, file: Attachment): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > file.size) throw CHANGED
    hash.update(piece)
    yield piece
  }
  if (size === 0 && file.size > 0) throw GONE
  if (size !== file.size || hash.digest('hex') !== file.sha256) throw CHANGED
}
