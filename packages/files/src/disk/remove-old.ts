import { link, lstat, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { errorCode } from '../lib/error-code.ts'
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
  folder: string,
  names: readonly string[],
  { olderThanMs, now, mayGo }: RemoveOldOptions,
): Promise<void> {
  const limit = pLimit(AT_ONCE)
  const times = await limit.map(names, (name) => changedAt(join(folder, name)))
  let latest = 0
  for (const time of times) if (time !== null && time <= now) latest = Math.max(latest, time)
  const old = names.filter((_, index) => {
    const time = times[index] ?? null
    return time !== null && latest - time > olderThanMs
  })
  const isHidden = (name: string): boolean => name.startsWith('.')
  for (const some of [old.filter(isHidden), old.filter((name) => !isHidden(name))])
    await limit.map(some, async (name) => {
      if (await mayGo(name)) await removeIf(join(folder, name), latest - olderThanMs)
    })
}

async function changedAt(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).mtimeMs
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Removes an entry, unless a newer one has taken its place. That one may have come at any moment, so it is put back. */
async function removeIf(path: string, changedBefore: number): Promise<void> {
  const folder = dirname(path)
  const aside = temporaryPath(folder)
  try {
    await rename(path, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  const time = await changedAt(aside)
  if (time !== null && time >= changedBefore)
    await link(aside, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error // A still newer one is there.
    })
  await removeEntry(folder, basename(aside))
}
