import * as fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { AskError } from '@sandagent/core'
import { errorCode } from '../lib/error-code.ts'
import { atFile } from './open-beneath.ts'
import { unsafePath } from './safe-path.ts'

/** Opening a FIFO would wait for its writer, and a link would lead elsewhere. Windows has neither flag. */
const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK
const CREATE_FLAGS =
  fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_EXCL

/** An opened file. Its number is used, because Node's file handles cost as much as reading a small file. */
export interface OpenedFile {
  /** In bytes, when it was opened. */
  size: number
  /** Up to `length` bytes at `position`; fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Opens a regular file for reading, which an agent may have made; `null` if it is missing. Never waits for a writer.
 *
 * @throws AskError `UNSAFE_PATH` for a link, folder, FIFO, socket or device.
 */
export async function openSafely(path: string): Promise<OpenedFile | null> {
  const fd = await openOrNull(path)
  if (fd === null) return null
  try {
    const stats = await fstat(fd)
    if (!stats.isFile()) throw unsafePath(path, 'it is no regular file')
    return {
      size: stats.size,
      read: (position, length) => readPart(fd, position, length),
      close: () => close(fd),
    }
  } catch (error) {
    await close(fd)
    throw error
  }
}

const openFile = promisify(fs.open)
const fstat = promisify(fs.fstat)
const close = promisify(fs.close)

const readPart = (fd: number, position: number, length: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const part = Buffer.allocUnsafe(length)
    fs.read(fd, part, 0, length, position, (error, bytesRead) =>
      error ? reject(error) : resolve(part.subarray(0, bytesRead)),
    )
  })

async function openOrNull(path: string): Promise<number | null> {
  try {
    return await openFile(path, READ_FLAGS)
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
