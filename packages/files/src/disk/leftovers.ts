import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { createHourly } from '../lib/hourly.ts'
import { removeEntry } from './remove-entry.ts'

/** The names that `temporaryPath` makes. */
const TEMPORARY = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/** After this time a writer was killed, or finds its file removed and fails. */
const OLD_MS = 60 * 60_000

/** One process looks through one folder once an hour. */
const isDue = createHourly()

/**
 * Removes the temporary files that killed writers left in a folder. Only the side that writes to the folder calls this.
 *
 * @param folder its current path, see `inFolder`
 * @param name a file that was just written. Its time gives the clock of the file system.
 * @param key identifies the folder
 */
export async function removeLeftovers(folder: string, name: string, key: string): Promise<void> {
  if (!isDue(key, Date.now())) return
  try {
    const { mtimeMs: written } = await lstat(join(folder, name))
    for await (const { name: found } of await opendir(folder, { bufferSize: 1000 })) {
      if (!TEMPORARY.test(found)) continue
      const { mtimeMs } = await lstat(join(folder, found))
      if (written - mtimeMs > OLD_MS) await removeEntry(folder, found)
    }
  } catch {
    // The file was written, and leftovers do no harm. Other processes may remove them at the same time.
  }
}
