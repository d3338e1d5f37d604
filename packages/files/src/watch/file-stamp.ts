import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '@sandagent/core/internal'

// Faster than the one of `node:fs/promises`, which counts in folders of many files.
const lstat = promisify(fs.lstat)

/** A stamp that changes with a file, even when it is overwritten in place. Missing and forbidden files have stamps too. */
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
