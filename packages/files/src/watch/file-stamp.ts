import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '@sandagent/core/internal'

// Faster than the one of `node:fs/promises`, which counts in folders of many files.
const lstat = promisify(fs.lstat)

export interface PathStamp {
  /** It changes with a file, even when it is overwritten in place. Missing and forbidden files have stamps too. */
  stamp: string
  /** Of a directory alone: it changes when the directory is replaced, not when files are written. */
  identity: string | null
}

export async function pathStamp(path: string): Promise<PathStamp> {
  try {
    const stats = await lstat(path, { bigint: true })
    const { dev, ino, size, mtimeNs, ctimeNs } = stats
    const identity = stats.isDirectory() ? `${dev}:${ino}` : null
    return { stamp: [dev, ino, size, mtimeNs, ctimeNs].join(':'), identity }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    return { stamp: code, identity: null }
  }
}

export const fileStamp = async (path: string): Promise<string> => (await pathStamp(path)).stamp
