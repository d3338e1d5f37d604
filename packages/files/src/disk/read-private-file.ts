import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AskError, failedWith } from '@sandagent/core/internal'
import { type DiskCalls, diskCalls } from '../lib/disk-calls.ts'
import { createMemory } from './memory.ts'

/** Each answer needs the host's key. A file that others may read by now has another stamp. */
const secrets = createMemory<string>()

/**
 * Reads a file with a secret; `null` if it is missing.
 *
 * @throws AskError `UNSAFE_PATH` for a file that others can read
 */
export async function readPrivateFile(path: string): Promise<string | null> {
  const calls = diskCalls(dirname(path))
  const known = await secrets.recall(calls, path)
  if (known !== undefined) return known
  const file = await openOrNull(calls, path)
  if (file === null) return null
  try {
    const stats = await file.stat()
    const { mode, uid } = stats
    // Windows has neither modes nor user ids.
    if (process.getuid && ((mode & 0o077) !== 0 || uid !== process.getuid())) {
      const message = `${path} can be read by others: make it yours alone, with mode 0600`
      throw new AskError('UNSAFE_PATH', message, { facts: { path } })
    }
    const text = await file.readFile('utf8')
    secrets.keep(calls, path, stats, text)
    return text
  } finally {
    await file.close()
  }
}

async function openOrNull(calls: DiskCalls, path: string): Promise<FileHandle | null> {
  try {
    return (await calls.lstat(path)) ? await open(path, constants.O_RDONLY) : null
  } catch (error) {
    if (failedWith(error, ['ENOENT', 'ENOTDIR'])) return null
    throw error
  }
}
