import { lstat } from 'node:fs/promises'
import { errorCode } from '../lib/error-code.ts'

/**
 * What tells one state of a file from the next without reading it: inode, size and times in nanoseconds, which
 * also differ after an overwrite in place. A missing file, or one that must not be looked at, has a stamp too.
 */
export async function fileStamp(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(':')
  } catch (error) {
    return codeOrThrow(error)
  }
}

/** The identity of the directory at a path. It changes when the directory is replaced, not when files are written. */
export async function directoryIdentity(path: string): Promise<string | null> {
  try {
    const stats = await lstat(path, { bigint: true })
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null
  } catch (error) {
    codeOrThrow(error)
    return null
  }
}

function codeOrThrow(error: unknown): string {
  const code = errorCode(error)
  if (code === undefined) throw error
  return code
}
