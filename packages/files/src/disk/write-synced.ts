import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { join } from 'node:path'
import type { DiskCalls } from './disk-calls.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** A new hidden name for a temporary file. */
export const temporaryPath = (directory: string): string => join(directory, `.${randomUUID()}.tmp`)

/** Creates a file for this user alone. With `synced` it returns when the text is on the disk. */
export async function writeNew(
  calls: DiskCalls,
  path: string,
  text: string,
  { synced }: { synced: boolean },
): Promise<void> {
  const file = await calls.open(path, CREATE, 0o600)
  try {
    await calls.write(file, text)
    if (synced) await calls.sync(file)
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
  if (opened !== undefined) return calls.sync(opened)
  if (process.platform === 'win32') return
  const directory = await calls.open(path, constants.O_RDONLY)
  try {
    await calls.sync(directory)
  } finally {
    await calls.close(directory)
  }
}
