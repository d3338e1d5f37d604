// Why it is so: docs/decisions/0019-a-folder-is-held-open.md

import { constants, existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { AskError, errorCode, failedWith, printableLine } from '@sandagent/core/internal'
import { below, type DiskCalls, diskCalls } from '../lib/disk-calls.ts'
import { type OwnerOf, ownersGive } from './access.ts'

/** A folder while it is used. */
export interface Folder {
  calls: DiskCalls
  /** Leads into the folder. On Linux it does so even if an agent puts a link in the folder's place meanwhile. */
  path: string
  opened: number
}

export interface FolderOptions {
  /** Makes the folders that are missing, for their owners alone (0700). Default false. */
  make?: boolean
  /** The owners of the folders that are made. Linux alone can give them away. Default: the user of this process. */
  ownerOf?: OwnerOf | undefined
  /** Default: those for the disk of `root`. */
  calls?: DiskCalls
}

/** Where Linux shows the open files of this process. A path through it leads into the opened folder, even if it was moved. */
const OPENED = '/proc/self/fd'
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY
const canHold = process.platform === 'linux' && existsSync(OPENED)

/**
 * Uses a folder below `root`. None of the folders on the way may be a link. On systems other than Linux, an agent can still put
 * a link there after they were checked.
 *
 * @param path relative, `/` between names; `.` is `root`, which may be a link
 * @throws AskError `UNSAFE_PATH` for a link, for what is no folder, and for a path that leads elsewhere; the system's `ENOENT`
 *   for a missing folder.
 */
export async function inFolder<T>(
  root: string,
  path: string,
  use: (folder: Folder) => Promise<T>,
  options: FolderOptions = {},
): Promise<T> {
  const names = path === '.' ? [] : namesOf(path)
  const full = path === '.' ? root : below(root, path)
  const calls = options.calls ?? diskCalls(root)
  const held = canHold
    ? await hold(calls, full, () => descend(calls, root, names, options))
    : { opened: await openChecked(calls, root, names, options), users: 1 }
  const { opened } = held
  const leadsTo = canHold ? heldPath(opened) : full
  try {
    return await use({ calls, path: leadsTo, opened })
  } catch (error) {
    throw withNames(error, leadsTo, full)
  } finally {
    await release(calls, held)
  }
}

/** Works on a file below `root` as {@link inFolder} does in its folder. `use` must not follow the file itself. */
export async function atFile<T>(
  root: string,
  path: string,
  use: (folder: Folder, name: string) => Promise<T>,
  options?: FolderOptions,
): Promise<T> {
  const name = namesOf(path).at(-1) as string
  const end = path.lastIndexOf('/')
  return inFolder(root, end < 0 ? '.' : path.slice(0, end), (folder) => use(folder, name), options)
}

/** The names of a relative path, `/` between them. @throws AskError `UNSAFE_PATH` for names that lead upwards or elsewhere. */
export function namesOf(path: string): string[] {
  const names = path.split('/')
  const isName = (name: string): boolean =>
    name !== '' && name !== '.' && name !== '..' && !name.includes(sep) && !name.includes('\0')
  if (!names.every(isName)) throw unsafePath(path, 'it must be relative and stay inside')
  return names
}

export const unsafePath = (path: string, why: string, cause?: unknown): AskError =>
  new AskError('UNSAFE_PATH', `${printableLine(path)} cannot be used: ${why}`, { facts: { path }, cause })

/** The error for a folder on the way that is a link or no folder. */
const linkInWay = (path: string, cause?: unknown): AskError =>
  unsafePath(path, 'it is a link or no folder', cause)

const heldPath = (opened: number): string => `${OPENED}/${opened}`

interface Held {
  opened: number
  /** It is closed when nobody uses it any more. */
  users: number
}

/** The folders that stay open until the end of this turn of the event loop, by their paths: an answer looks for many files. */
const heldInTurn = new Map<string, Held>()
/** The lists of many sandboxes would need too many descriptors. */
const MOST_HELD = 16

/** Holds a folder, also one that is open already, if that still has its path. `otherwise` opens a path with links. */
async function hold(calls: DiskCalls, path: string, otherwise: () => Promise<number>): Promise<Held> {
  const earlier = heldInTurn.get(path)
  if (earlier) {
    earlier.users++
    if (await hasPath(calls, earlier.opened, path)) return earlier
    await release(calls, earlier)
  }
  const held = { opened: (await openAtOnce(calls, path)) ?? (await otherwise()), users: 1 }
  if (!calls.isLocal || heldInTurn.size >= MOST_HELD) return held
  held.users++
  heldInTurn.set(path, held)
  setImmediate(() => {
    if (heldInTurn.get(path) === held) heldInTurn.delete(path)
    // Linux closes it even if that fails, and nothing was written by it.
    release(calls, held).catch(() => {})
  })
  return held
}

async function release(calls: DiskCalls, held: Held): Promise<void> {
  held.users--
  if (held.users === 0) await calls.close(held.opened)
}

/** Opens a folder, if its path has no links. Almost every call ends here. */
async function openAtOnce(calls: DiskCalls, path: string): Promise<number | null> {
  let folder: number
  try {
    folder = await calls.open(path, FOLDER)
  } catch {
    // It is missing, or there is a link. The slow way finds out.
    return null
  }
  if (await hasPath(calls, folder, path)) return folder
  await calls.close(folder)
  return null
}

/** Whether an opened folder has this path, without links. `false` where that cannot be known: the slow way finds out. */
async function hasPath(calls: DiskCalls, opened: number, path: string): Promise<boolean> {
  try {
    return (await calls.readlink(heldPath(opened))) === path
  } catch {
    return false
  }
}

/** Opens each folder from its parent. It makes missing folders, and finds links. */
async function descend(
  calls: DiskCalls,
  root: string,
  names: readonly string[],
  { make = false, ownerOf }: FolderOptions,
): Promise<number> {
  if (make) await mkdir(root, { mode: 0o700, recursive: true })
  let folder = await calls.open(root, FOLDER)
  for (const [index, name] of names.entries()) {
    const parent = folder
    const path = join(root, ...names.slice(0, index))
    try {
      // It is asked first: the new folder itself may tell whose it is.
      const owner = ownerOf?.(names.slice(0, index + 1).join('/'))
      const inside = `${heldPath(parent)}/${name}`
      const isNew = make && (await makesFolder(calls, inside))
      folder = await calls.open(inside, FOLDER | constants.O_NOFOLLOW)
      if (isNew && owner) ownersGive(owner)(folder, 0o700)
    } catch (error) {
      if (folder !== parent) await calls.close(folder)
      if (failedWith(error, ['ENOTDIR', 'ELOOP'])) throw linkInWay(join(path, name), error)
      throw withNames(error, heldPath(parent), path)
    } finally {
      await calls.close(parent)
    }
  }
  return folder
}

/** Whether there was no such folder, and this process made it. */
async function makesFolder(calls: DiskCalls, path: string): Promise<boolean> {
  if (await calls.lstat(path)) return false
  try {
    await calls.makeFolder(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false // Another process was faster.
    throw error
  }
}

/** Looks for links first, where a folder cannot be held. */
async function openChecked(
  calls: DiskCalls,
  root: string,
  names: readonly string[],
  { make = false }: FolderOptions,
): Promise<number> {
  let path = root
  for (const name of names) {
    path = join(path, name)
    const stats = await calls.lstat(path)
    if (stats && !stats.isDirectory()) throw linkInWay(path)
  }
  if (make) await mkdir(path, { mode: 0o700, recursive: true })
  return calls.open(path, FOLDER)
}

/** Names the folder in an error as it is called, and not as it is held. */
function withNames(error: unknown, held: string, folder: string): unknown {
  if (!(error instanceof Error)) return error
  const named = (text: unknown): string => String(text).replaceAll(`${held}/`, `${folder}/`)
  error.message = named(error.message)
  const about = error instanceof AskError ? error.facts : error
  if ('path' in about) Object.assign(about, { path: named(about.path) })
  return error
}
