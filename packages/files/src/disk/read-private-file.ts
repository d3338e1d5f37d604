import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { AskError, failedWith } from '@sandagent/core/internal'

/**
 * Reads a file with a secret; `null` if it is missing.
 *
 * @throws AskError `UNSAFE_PATH` for a file that others can read
 */
export async function readPrivateFile(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY).catch((error: unknown) => {
    if (failedWith(error, ['ENOENT', 'ENOTDIR'])) return null
    throw error
  })
  if (file === null) return null
  try {
    const { mode, uid } = await file.stat()
    // Windows has neither modes nor user ids.
    if (process.getuid && ((mode & 0o077) !== 0 || uid !== process.getuid())) {
      const message = `${path} can be read by others: make it yours alone, with mode 0600`
      throw new AskError('UNSAFE_PATH', message, { facts: { path } })
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
