import { readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, failedWith } from '@sandagent/core/internal'
import { inFolder } from '../open-beneath.ts'

/** The error codes for unlinking a folder. */
const IS_FOLDER = ['EISDIR', 'EPERM']

/**
 * Removes an entry of a folder with all that is in it, if it exists. Links are removed, and never followed. What others put there
 * meanwhile stays, and the folder with it.
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
