import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AskError, errorCode } from '@sandagent/core/internal'
import { type OwnerOf, ownersGive } from './access.ts'
import { atFile } from './folder.ts'

const CREATE_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL

/**
 * Creates a file and its folders, for their owners alone (0600), as the output of a program.
 *
 * @param path relative to `root`, `/` between names
 * @param ownerOf default: the user of this process
 * @throws AskError `UNSAFE_PATH`; `CONFLICT` when the file exists, or a link in its place.
 */
export async function createFileSafely(root: string, path: string, ownerOf?: OwnerOf): Promise<FileHandle> {
  try {
    const create = (folder: string, name: string): Promise<FileHandle> =>
      open(join(folder, name), CREATE_FLAGS, 0o600)
    const file = await atFile(root, path, (folder, name) => create(folder.path, name), {
      make: true,
      ownerOf,
    })
    const owner = ownerOf?.(path)
    if (owner) ownersGive(owner)(file.fd, 0o600)
    return file
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new AskError('CONFLICT', `The file ${basename(path)} exists already. Choose another name`, {
      facts: { path },
    })
  }
}
