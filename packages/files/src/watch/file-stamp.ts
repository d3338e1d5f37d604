import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '@sandagent/core/internal'
import { type DiskCalls, diskCalls } from '../lib/disk-calls.ts'

export interface PathStamp {
  /** It changes with a file, even when it is overwritten in place. Missing and forbidden files have stamps too. */
  stamp: string
  /** Of a directory alone: it changes when the directory is replaced, not when files are written. */
  identity: string | null
}

/** No program can set the time of the last change (`ctime`): an overwritten file gets another one, whatever its writer does. */
export const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  [dev, ino, size, mtimeMs, ctimeMs].join(':')

/** Two changes within one tick of the kernel's clock can leave the same stamp. A tick takes 10 ms at most. */
const TICK_MS = 15

/** Whether the next change may leave the same stamp, on a local disk. Some disks tell whole seconds alone. */
export const isFresh = ({ ctimeMs }: Stats): boolean => Date.now() - ctimeMs < TICK_MS || ctimeMs % 1000 === 0

/** @param calls those for the disk of the path */
export async function pathStamp(
  path: string,
  calls: DiskCalls = diskCalls(dirname(path)),
): Promise<PathStamp> {
  try {
    const stats = await calls.lstat(path)
    if (!stats) return { stamp: 'ENOENT', identity: null }
    return { stamp: stampOf(stats), identity: stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    return { stamp: code, identity: null }
  }
}

export const fileStamp = async (path: string, calls: DiskCalls = diskCalls(dirname(path))): Promise<string> =>
  (await pathStamp(path, calls)).stamp
