import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import {
  type Attachment,
  attachmentFileName,
  type FilePlace,
  failedWith,
  isFileFault,
  PIECE_BYTES,
} from '@sandagent/core/internal'
import { atFile } from '../../disk/folder.ts'
import { withFile } from '../../disk/read-file.ts'

/**
 * The path of a file that a person gave, if its bytes are as the answer says. Anything else in their place is a change of them.
 *
 * @param root the workdir
 * @param folder the folder of such files in it
 */
export async function attachedFile(root: string, folder: string, file: Attachment): Promise<FilePlace> {
  const path = `${folder}/${attachmentFileName(file)}`
  try {
    const isAsNamed = await checked(root, path, file, () => {})
    if (isAsNamed === null) return { missing: 'gone' }
    return isAsNamed ? { path: join(root, path) } : { missing: 'changed' }
  } catch (error) {
    if (failedWith(error, ['ENOENT'])) return { missing: 'gone' }
    if (isFileFault(error)) return { missing: 'changed' }
    throw error
  }
}

/** The bytes of a file whose path an agent has, too; `null` if they are gone, or others than the answer says. */
export async function attachedBytes(path: string, file: Attachment): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  try {
    const isAsNamed = await checked(dirname(path), basename(path), file, (piece) =>
      pieces.push(Buffer.from(piece)),
    )
    return isAsNamed ? Buffer.concat(pieces) : null
  } catch (error) {
    if (failedWith(error, ['ENOENT']) || isFileFault(error)) return null
    throw error
  }
}

/**
 * Whether a file has the bytes that an answer says; `null` if there is none. It is read once, and no further than they are
 * long.
 */
const checked = (
  root: string,
  path: string,
  { size, sha256 }: Attachment,
  take: (piece: Uint8Array) => void,
): Promise<boolean | null> =>
  atFile(root, path, ({ calls, path: inside }, name) =>
    withFile(calls, join(inside, name), async (opened, stats) => {
      if (stats.size !== size) return false
      const hash = createHash('sha256')
      const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
      for (let at = 0; at < size; ) {
        const length = await calls.read(opened, piece.subarray(0, size - at), at)
        if (length === 0) return false
        const bytes = piece.subarray(0, length)
        hash.update(bytes)
        take(bytes)
        at += length
      }
      return hash.digest('hex') === sha256
    }),
  )
