import { randomUUID } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A new hidden name for a temporary file. */
export const temporaryPath = (directory: string): string => join(directory, `.${randomUUID()}.tmp`)

/** Creates a file for this user alone. */
export const writeNew = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { flag: 'wx', mode: 0o600 })

/** Creates a file for this user alone, and returns when its text is on the disk. */
export async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Until the folder is synced, a power cut can undo the rename. Windows syncs no folders and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
