import { createHash } from 'node:crypto'
import {
  AskError,
  type Attachment,
  attachmentFileName,
  bytesOf,
  errorCode,
  FILE_ROOM,
  inPieces,
} from '@sandagent/core/internal'
import type { StoredFiles } from '@sandagent/core/store'

/**
 * Copies a file that an answer names from one store to another one.
 *
 * @returns whether it is there then. Otherwise its bytes are gone, are others than the answer says, or find no room
 * @throws AskError `UNREACHABLE`
 */
export async function copyFile(
  { readFile }: Pick<StoredFiles, 'readFile'>,
  { writeFile }: Pick<StoredFiles, 'writeFile'>,
  toolCallId: string,
  file: Attachment,
): Promise<boolean> {
  const name = attachmentFileName(file)
  const bytes = bytesOf(file.size, (at) => readFile(toolCallId, name, at))
  try {
    await writeFile(toolCallId, inPieces(asNamed(bytes, file)), () => name, FILE_ROOM)
    return true
  } catch (error) {
    if (error === OTHERS || errorCode(error) === 'TOO_LARGE') return false
    throw error
  }
}

const OTHERS = new AskError('INVALID_FILE', 'These are other bytes than an answer says')

/** The same bytes. It throws if they are others: at the latest after the last one. */
async function* asNamed(bytes: AsyncIterable<Uint8Array>, file: Attachment): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > file.size) throw OTHERS
    hash.update(piece)
    yield piece
  }
  if (size !== file.size || hash.digest('hex') !== file.sha256) throw OTHERS
}
