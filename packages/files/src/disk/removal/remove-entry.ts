import { readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, failedWith } from '@sandagent/core/internal'
import { againOn } from '../../lib/again-on.ts'
import { inFolder } from '../open-beneath.ts'

/** The error codes for unlinking a folder. */
const IS_FOLDER = ['EISDIR', 'EPERM']

/** Removes an entry of a folder with all that is in it, if it exists. Links are removed, and never followed. */
export async function removeEntry(folder: string, name: string): Promise<void> {
  const path = join(folder, name)
  try {
    await unlink(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    if (!failedWith(error, IS_FOLDER)) throw error
    // Others may still write there.
    await againOn('ENOTEMPTY', async () => {
      await inFolder(folder, [name], async (inner) => {
        for (const entry of await readdir(inner)) await removeEntry(inner, entry)
      })
      await rmdir(path)
    })
  }
}
