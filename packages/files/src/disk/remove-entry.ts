import { readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, failedWith } from '@sandagent/core/internal'
import { inFolder } from './folder.ts'

/** The error codes for unlinking a folder. */
const IS_FOLDER = ['EISDIR', 'EPERM']

/**
 * Removes an entry of a folder with all that is in it, if it exists. Links are removed, and never followed. If somebody writes
 * into the entry meanwhile, the new file stays, and so does its folder.
 */
export async function removeEntry(folder: string, name: string): Promise<void> {
  const path = join(folder, name)
  try {
    return await unlink(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    if (!failedWith(error, IS_FOLDER)) throw error
  }
  try {
    await inFolder(folder, [name], async (inner) => {
      for (const entry of await readdir(inner)) await removeEntry(inner, entry)
    })
    await rmdir(path)
  } catch (error) {
    // Others have removed it, or have written there.
    if (!failedWith(error, ['ENOENT', 'ENOTEMPTY'])) throw error
  }
}
