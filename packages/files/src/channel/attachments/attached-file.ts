import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  type Attachment,
  attachmentFileName,
  failedWith,
  isFileFault,
  PIECE_BYTES,
} from '@sandagent/core/internal'
import { atFile } from '../../disk/folder.ts'
import { withFile } from '../../disk/read-file.ts'

/**
 * The path of a file that a person gave, or `null`: its bytes are gone, are others than the answer says, or something else is
 * in their place.
 *
 * @param root the workdir
 * @param folder the folder of such files in it
 */
export async function attachedFile(root: string, folder: string, file: Attachment): Promise<string | null> {
  const path = `${folder}/${attachmentFileName(file)}`
  try {
    const digest = await atFile(root, path, ({ calls, path: inside }, name) =>
      withFile(calls, join(inside, name), async (opened, { size }) => {
        if (size !== file.size) return null
        const hash = createHash('sha256')
        const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
        for (let at = 0; at < size; ) {
          const length = await calls.read(opened, piece, at)
          if (length === 0) return null
          hash.update(piece.subarray(0, length))
          at += length
        }
        return hash.digest('hex')
      }),
    )
    return digest === file.sha256 ? join(root, path) : null
  } catch (error) {
    if (isFileFault(error) || failedWith(error, ['ENOENT'])) return null
    throw error
  }
}
