import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { join } from 'node:path'
import type { DiskCalls } from './disk-calls.ts'
import { syncFile, syncFolder } from './sync.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** A new hidden name for a temporary file. */
export const temporaryPath = (directory: string): string => join(directory, `.${randomUUID()}.tmp`)

/** Creates a file for this user alone, and returns when the text is on the disk. */
export async function writeNew(
  calls: DiskCalls,
  path: string,
  text: string,
  { mode = 0o600 }: { mode?: number } = {},
): Promise<void> {
  const file = await calls.open(path, CREATE, mode)
  try {
    await calls.write(file, text)
    await syncFile(calls, file)
  } finally {
    await calls.close(file)
  }
}

/**
 * Until the folder is synced, a power cut can undo the rename. Windows syncs no folders and needs none.
 *
 * @param opened the folder, if it is open already
 */
export async function syncDirectory(calls: DiskCalls, path: string, opened?: number): Promise<void> {
  if (opened !== undefined) return syncFolder(calls, opened)
  if (process.platform === 'win32') return
  const directory = await calls.open(path, constants.O_RDONLY)
  try {
    await syncFolder(calls, directory)
  } finally {
    await calls.close(directory)
  }
}
