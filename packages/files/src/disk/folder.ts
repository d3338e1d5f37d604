// Why it is so: docs/decisions/0019-a-folder-is-held-open.md

import { closeSync, constants, openSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError, errorCode, failedWith } from '@sandagent/core/internal'
import { giveTo, type Owner, type OwnerOf } from './access.ts'
import { type DiskCalls, diskCalls } from './disk-calls.ts'
import { linkInWay, namesOf, refuseLinks } from './safe-path.ts'

/** Where Linux shows the open files of this process. A path through it leads into the opened folder, even if it was moved. */
const OPENED = '/proc/self/fd'
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY
/** Opening a FIFO would wait for its writer, and a link would lead elsewhere. Windows has neither flag. */
export const READ_FLAGS: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const canHold = leadsIntoFolders()

/** False on systems without `/proc`, or with one that works differently. */
function leadsIntoFolders(): boolean {
  if (process.platform !== 'linux') return false
  const folder = openSync('/', FOLDER)
  try {
    return statSync(`${OPENED}/${folder}/.`).ino === statSync('/').ino
  } catch {
    return false
  } finally {
    closeSync(folder)
  }
}

export interface HoldOptions {
  /** Makes the folders that are missing, for their owners alone (0700). Default false. */
  make?: boolean
  /** The owners of the folders that are made. Linux alone can give them away. Default: the user of this process. */
  ownerOf?: OwnerOf | undefined
}

/**
 * Calls `use` with a path that leads to a folder below `root`, even if an agent replaces the folder by a link meanwhile. Only
 * Linux can do that, and there `use` gets the opened folder too. On other systems the folders are checked for links first.
 *
 * @param names of the folders below `root`; none of them may be a link
 * @throws AskError `UNSAFE_PATH` for a link, or for what is no folder; the system's `ENOENT` for a missing folder.
 */
export async function inFolder<T>(
  root: string,
  names: readonly string[],
  use: (folder: string, opened?: number) => Promise<T>,
  { make = false, ownerOf }: HoldOptions = {},
): Promise<T> {
  const path = join(root, ...names)
  if (!canHold) {
    await refuseLinks(root, names)
    if (make) await mkdir(path, { mode: 0o700, recursive: true })
    else await stat(path) // A missing folder is an error, as on Linux. A missing file may be none.
    return use(path)
  }
  const calls = diskCalls(root)
  const folder = (await openAtOnce(calls, path)) ?? (await descend(calls, root, names, { make, ownerOf }))
  const held = heldPath(folder)
  try {
    return await use(held, folder)
  } catch (error) {
    throw withNames(error, held, path)
  } finally {
    await calls.close(folder)
  }
}

/** Works on a file below `root` as {@link inFolder} does in its folder. `use` must not follow the file itself. */
export async function atFile<T>(
  root: string,
  path: string,
  use: (path: string, folder?: number) => Promise<T>,
  options?: HoldOptions,
): Promise<T> {
  const names = namesOf(path)
  const name = names.pop() as string
  return inFolder(root, names, (folder, opened) => use(join(folder, name), opened), options)
}

/**
 * Opens a file below `root` for reading, if no part of its path is a link. `null`: only {@link atFile} can tell. Never waits for
 * a writer.
 */
export async function openFileAtOnce(
  calls: DiskCalls,
  root: string,
  path: string,
): Promise<number | 'missing' | null> {
  const full = join(root, ...namesOf(path))
  if (!canHold) return null
  let file: number | null
  try {
    file = await calls.openIfThere(full, READ_FLAGS)
    if (file === null) return (await calls.realpath(dirname(full))) === dirname(full) ? 'missing' : null
  } catch {
    return null // There is a link, or the folder is missing. The slow way finds out.
  }
  if ((await linkText(calls, heldPath(file))) === full && (await calls.stat(file)).isFile()) return file
  await calls.close(file)
  return null
}

const heldPath = (opened: number): string => `${OPENED}/${opened}`

/** Opens a folder, if its path has no links. Almost every call ends here. */
async function openAtOnce(calls: DiskCalls, path: string): Promise<number | null> {
  let folder: number
  try {
    folder = await calls.open(path, FOLDER)
  } catch {
    return null // It is missing, or there is a link. The slow way finds out.
  }
  if ((await linkText(calls, heldPath(folder))) === path) return folder
  await calls.close(folder)
  return null
}

async function linkText(calls: DiskCalls, path: string): Promise<string | null> {
  try {
    return await calls.readlink(path)
  } catch {
    return null
  }
}

/** Opens each folder from its parent. It makes missing folders, and finds links. */
async function descend(
  calls: DiskCalls,
  root: string,
  names: readonly string[],
  { make = false, ownerOf }: HoldOptions,
): Promise<number> {
  if (make) await mkdir(root, { mode: 0o700, recursive: true })
  let folder = await calls.open(root, FOLDER)
  for (const [index, name] of names.entries()) {
    try {
      const path = `${heldPath(folder)}/${name}`
      const owner = ownerOf?.(names.slice(0, index + 1).join('/'))
      const next = await openFolder(calls, path, make, owner)
      await calls.close(folder)
      folder = next
    } catch (error) {
      const held = heldPath(folder)
      await calls.close(folder)
      if (!failedWith(error, ['ENOTDIR', 'ELOOP']))
        throw withNames(error, held, join(root, ...names.slice(0, index)))
      throw linkInWay(join(root, ...names.slice(0, index + 1)), error)
    }
  }
  return folder
}

async function openFolder(
  calls: DiskCalls,
  path: string,
  make: boolean,
  owner: Owner | undefined,
): Promise<number> {
  try {
    return await calls.open(path, FOLDER | constants.O_NOFOLLOW)
  } catch (error) {
    if (!make || errorCode(error) !== 'ENOENT') throw error
  }
  let isNew = true
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    isNew = false // Another process was faster.
  }
  const folder = await calls.open(path, FOLDER | constants.O_NOFOLLOW)
  if (isNew && owner) giveTo(owner, folder, 0o700)
  return folder
}

/** Replaces the path of the opened folder in an error by the folder's name. */
function withNames(error: unknown, held: string, folder: string): unknown {
  const named = (text: unknown): unknown =>
    typeof text === 'string' ? text.replaceAll(`${held}/`, `${folder}/`) : text
  if (error instanceof AskError && 'path' in error.facts) {
    const { code, message, faults, facts, cause } = error
    return new AskError(code, message, { faults, facts: { ...facts, path: named(facts.path) }, cause })
  }
  if (error instanceof Error && 'path' in error)
    Object.assign(error, { path: named(error.path), message: named(error.message) })
  return error
}
