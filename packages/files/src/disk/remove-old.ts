import { basename, dirname, join } from 'node:path'
import { errorCode } from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { breathe } from '../lib/breathe.ts'
import type { DiskCalls } from './disk-calls.ts'
import { removeEntry } from './remove-entry.ts'
import { temporaryPath } from './write-synced.ts'

export interface RemoveOldOptions {
  /** How long before the latest change in the folder an entry was changed for the last time, in milliseconds. */
  olderThanMs: number
  /** Milliseconds since 1970. Times in the future do not count. */
  now: number
  /** Decides about an old entry. It is asked about entries that begin with a dot first, then about the others. */
  mayGo: (name: string) => Promise<boolean>
}

const AT_ONCE = 8

/**
 * Removes entries of a folder that were not changed for a long time. The folder's own files give the time, because the clock
 * of this machine may be wrong.
 *
 * @param folder its current path, see `inFolder`
 */
export async function removeOld(
  calls: DiskCalls,
  folder: string,
  names: readonly string[],
  { olderThanMs, now, mayGo }: RemoveOldOptions,
): Promise<void> {
  const limit = pLimit(AT_ONCE)
  const times = await limit.map(names, (name) => changedAt(calls, join(folder, name)))
  let latest = 0
  for (const time of times) if (time !== null && time <= now) latest = Math.max(latest, time)
  const old = names.filter((_, index) => {
    const time = times[index] ?? null
    return time !== null && latest - time > olderThanMs
  })
  const isHidden = (name: string): boolean => name.startsWith('.')
  for (const some of [old.filter(isHidden), old.filter((name) => !isHidden(name))])
    await limit.map(some, async (name) => {
      if (await mayGo(name)) await removeIf(calls, join(folder, name), latest - olderThanMs)
    })
}

async function changedAt(calls: DiskCalls, path: string): Promise<number | null> {
  await breathe()
  return (await calls.lstat(path))?.mtimeMs ?? null
}

/**
 * Removes an entry, unless a newer one has taken its place. Another process may put one there at any moment: that one is put
 * back.
 */
async function removeIf(calls: DiskCalls, path: string, changedBefore: number): Promise<void> {
  const folder = dirname(path)
  const aside = temporaryPath(folder)
  const isOld = (time: number | null): boolean => time !== null && time < changedBefore
  if (!isOld(await changedAt(calls, path))) return
  try {
    await calls.rename(path, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if (!isOld(await changedAt(calls, aside))) await putBack(calls, aside, path)
  await removeEntry(folder, basename(aside))
}

async function putBack(calls: DiskCalls, aside: string, path: string): Promise<void> {
  try {
    await calls.link(aside, path)
  } catch (error) {
    // A still newer one may be there. Where there are no links, a rename puts it back.
    if (errorCode(error) !== 'EEXIST') await calls.rename(aside, path)
  }
}
