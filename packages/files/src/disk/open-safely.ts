import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { AskError } from '@sandagent/core'
import { errorCode } from '../lib/error-code.ts'
import { atFile } from './open-beneath.ts'
import { unsafePath } from './safe-path.ts'

/** Opening a FIFO would wait for its writer, and a link would lead elsewhere. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const CREATE_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL

/**
 * Opens a regular file for reading, which an agent may have made; `null` if it is missing. Never waits for a writer.
 *
 * @throws AskError `UNSAFE_PATH` for a link, folder, FIFO, socket or device.
 */
export async function openSafely(path: string): Promise<FileHandle | null> {
  const file = await openOrNull(path)
  if (file === null || (await file.stat()).isFile()) return file
  await file.close()
  throw unsafePath(path, 'it is no regular file')
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, READ_FLAGS)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    if (code === 'ELOOP' || code === 'EMLINK') throw unsafePath(path, 'it is a link', error)
    if (code === 'ENXIO' || code === 'ENOTDIR') throw unsafePath(path, 'it is no regular file', error)
    throw error
  }
}

/**
 * Creates a file and its folders, for this user alone (0600), as the output of a program.
 *
 * @param path relative to `root`, `/` between names
 * @throws AskError `UNSAFE_PATH`; `CONFLICT` when the file exists, or a link in its place.
 */
export async function createFileSafely(root: string, path: string): Promise<FileHandle> {
  try {
    return await atFile(root, path, (held) => open(held, CREATE_FLAGS, 0o600), { make: true })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new AskError('CONFLICT', 'The file exists already', { facts: { path } })
  }
}
