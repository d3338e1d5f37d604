import { readFile } from 'node:fs/promises'
import { errorCode } from '@sandagent/core/internal'

/** The text of a file of the host's own; `null` if it is missing. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
