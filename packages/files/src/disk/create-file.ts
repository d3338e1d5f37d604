import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { AskError, errorCode } from '@sandagent/core/internal'
import { giveTo, type OwnerOf } from './access.ts'
import type { DiskCalls } from './disk-calls.ts'
import { atFile, READ_FLAGS } from './folder.ts'
import { unsafePath } from './safe-path.ts'

const CREATE_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL

/**
 * Opens a regular file for reading, which an agent may have made; `null` if it is missing. Never waits for a writer.
 *
 * @throws AskError `UNSAFE_PATH` for a link, folder, FIFO, socket or device.
 */
export async function openSafely(calls: DiskCalls, path: string): Promise<number | null> {
  const file = await openOrNull(calls, path)
  if (file === null || (await calls.stat(file)).isFile()) return file
  await calls.close(file)
  throw unsafePath(path, 'it is no regular file')
}

async function openOrNull(calls: DiskCalls, path: string): Promise<number | null> {
  try {
    return await calls.openIfThere(path, READ_FLAGS)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    if (code === 'ELOOP' || code === 'EMLINK') throw unsafePath(path, 'it is a link', error)
    if (code === 'ENXIO' || code === 'ENOTDIR') throw unsafePath(path, 'it is no regular file', error)
    throw error
  }
}

/**
 * Creates a file and its folders, for their owners alone (0600), as the output of a program.
 *
 * @param path relative to `root`, `/` between names
 * @param ownerOf default: the user of this process
 * @throws AskError `UNSAFE_PATH`; `CONFLICT` when the file exists, or a link in its place.
 */
export async function createFileSafely(root: string, path: string, ownerOf?: OwnerOf): Promise<FileHandle> {
  try {
    const file = await atFile(root, path, (held) => open(held, CREATE_FLAGS, 0o600), { make: true, ownerOf })
    const owner = ownerOf?.(path)
    if (owner) giveTo(owner, file.fd, 0o600)
    return file
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new AskError('CONFLICT', `The file ${basename(path)} exists already. Choose another name`, {
      facts: { path },
    })
  }
}
