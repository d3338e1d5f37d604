import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, failedWith } from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { breathe } from '../lib/breathe.ts'
import { below } from '../lib/disk-calls.ts'
import { createHourly } from '../lib/hourly.ts'
import { type Folder, inFolder } from './folder.ts'
import { TEMPORARY, temporaryName } from './new-file.ts'
import { MOST_NAMES, type RemoveOldOptions } from './sandbox-files.ts'

/** A folder in which entries are removed. */
type Place = Pick<Folder, 'calls' | 'path'>

/** The error codes for unlinking a folder. */
const IS_FOLDER = ['EISDIR', 'EPERM']

/**
 * Removes an entry of a folder with all that is in it, if it exists. Links are removed, and never followed. If somebody writes
 * into the entry meanwhile, the new file stays, and so does its folder.
 */
export async function removeEntry({ calls, path: folder }: Place, name: string): Promise<void> {
  const path = below(folder, name)
  try {
    return await calls.unlink(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    if (!failedWith(error, IS_FOLDER)) throw error
  }
  const empty = async (inner: Folder): Promise<void> => {
    for (const entry of await readdir(inner.path)) await removeEntry(inner, entry)
  }
  try {
    await inFolder(folder, name, empty, { calls })
    await rmdir(path)
  } catch (error) {
    // Others have removed it, or have written there.
    if (!failedWith(error, ['ENOENT', 'ENOTEMPTY'])) throw error
  }
}

const AT_ONCE = 8

/** At so many entries, spread over all of them, a first look begins. */
const SAMPLE = 1000

/**
 * Removes entries of a folder that were not changed for a long time. The folder's own files give the time, because the clock
 * of this machine may be wrong.
 */
export async function removeOld(
  folder: Place,
  names: readonly string[],
  { isFirstLook, ...options }: RemoveOldOptions,
): Promise<void> {
  if (isFirstLook && names.length > SAMPLE) {
    const some = Array.from(
      { length: SAMPLE },
      (_, n) => names[Math.floor((n * names.length) / SAMPLE)] as string,
    )
    // The folder itself has the time of its last entry, which may not be among these.
    const { old } = await oldAmong(folder, ['.', ...some], options)
    if (!(await isAny(old, options.mayGo))) return
  }
  const { old, changedBefore } = await oldAmong(folder, names, options)
  const isHidden = (name: string): boolean => name.startsWith('.')
  for (const some of [old.filter(isHidden), old.filter((name) => !isHidden(name))])
    await pLimit(AT_ONCE).map(some, async (name) => {
      if (await options.mayGo(name)) await removeIf(folder, name, changedBefore)
    })
}

async function isAny(names: readonly string[], is: (name: string) => Promise<boolean>): Promise<boolean> {
  for (const name of names) if (await is(name)) return true
  return false
}

/** The entries that were not changed for a long time, and since when. */
async function oldAmong(
  folder: Place,
  names: readonly string[],
  { olderThanMs, now }: Pick<RemoveOldOptions, 'olderThanMs' | 'now'>,
): Promise<{ old: string[]; changedBefore: number }> {
  const times = await pLimit(AT_ONCE).map(names, (name) => changedAt(folder, name))
  let latest = 0
  for (const time of times) if (time !== null && time <= now) latest = Math.max(latest, time)
  const old = names.filter((_, index) => {
    const time = times[index] ?? null
    return time !== null && latest - time > olderThanMs
  })
  return { old, changedBefore: latest - olderThanMs }
}

async function changedAt({ calls, path }: Place, name: string): Promise<number | null> {
  await breathe()
  // `join` would take the `.` away, and what is left may be a link of the system.
  return (await calls.lstat(name === '.' ? `${path}/.` : join(path, name)))?.mtimeMs ?? null
}

/**
 * Removes an entry, unless a newer one has taken its place. Another process may put one there at any moment: that one is put
 * back.
 */
async function removeIf(folder: Place, name: string, changedBefore: number): Promise<void> {
  const { calls, path } = folder
  const isOld = (time: number | null): boolean => time !== null && time < changedBefore
  if (!isOld(await changedAt(folder, name))) return
  const aside = temporaryName()
  try {
    await calls.rename(join(path, name), join(path, aside))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if (!isOld(await changedAt(folder, aside))) await putBack(folder, aside, name)
  await removeEntry(folder, aside)
}

async function putBack({ calls, path }: Place, aside: string, name: string): Promise<void> {
  try {
    await calls.link(join(path, aside), join(path, name))
  } catch (error) {
    // A still newer one may be there. Where there are no links, a rename puts it back.
    if (errorCode(error) !== 'EEXIST') await calls.rename(join(path, aside), join(path, name))
  }
}

/** After this time a writer was killed, or finds its file removed and fails. */
const LEFT_MS = 60 * 60_000

/** One process looks through one folder once an hour. */
const isDue = createHourly()

/**
 * Removes the temporary files that killed writers left in a folder. Only the side that writes to the folder calls this.
 *
 * @param name a file that was just written. Its time gives the clock of the file system.
 * @param key identifies the folder
 */
export async function removeLeftovers(folder: Place, name: string, key: string): Promise<void> {
  if (!isDue(key, Date.now())) return
  try {
    const now = await changedAt(folder, name)
    const left = (await folder.calls.names(folder.path, MOST_NAMES)).filter((found) => TEMPORARY.test(found))
    const options = { olderThanMs: LEFT_MS, now: now ?? 0, mayGo: async () => true }
    await removeOld(folder, [...left, name], options)
  } catch {
    // The file was written, and leftovers do no harm. Other processes may remove them at the same time.
  }
}
