import { failedWith } from '@sandagent/core/internal'
import type { DiskCalls } from '../lib/disk-calls.ts'
import { limitTo } from '../lib/limit-to.ts'

/** Syncs are slow, and Node has four threads for all that is slow: one stays free. */
const syncing = limitTo(3)

/** Returns when what was written to an opened file is on the disk. */
export const syncFile = (calls: DiskCalls, file: number): Promise<void> => syncing(() => calls.sync(file))

interface FolderSync {
  done: Promise<void>
  /** The sync that begins when this one is done. */
  next?: Promise<void>
}

/** The running syncs, by device and inode. */
const running = new Map<string, FolderSync>()

/**
 * Syncs an opened folder, once for all that wait for it. Until then, a power cut can undo a rename. What is called while a sync
 * runs waits for the next one, because the running one may have begun too early. Windows syncs no folders and needs none.
 */
export async function syncFolder(calls: DiskCalls, folder: number): Promise<void> {
  if (process.platform === 'win32') return
  const { dev, ino } = await calls.stat(folder)
  const key = `${dev}:${ino}`
  const before = running.get(key)
  if (!before) return begin(calls, folder, key)
  before.next ??= before.done.catch(() => {}).then(() => begin(calls, folder, key))
  return before.next
}

/**
 * The error codes of file systems that cannot sync a folder at all, such as some shared folders. Databases pass over them, too.
 */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP']

function begin(calls: DiskCalls, folder: number, key: string): Promise<void> {
  const done = syncFile(calls, folder).catch((error: unknown) => {
    if (!failedWith(error, CANNOT_SYNC)) throw error
  })
  const sync: FolderSync = { done }
  running.set(key, sync)
  const end = (): void => {
    if (!sync.next) running.delete(key)
  }
  sync.done.then(end, end)
  return sync.done
}
