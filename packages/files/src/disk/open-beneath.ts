import { closeSync, constants, openSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { ensureDir } from 'fs-extra/esm'
import { errorCode } from '../lib/error-code.ts'
import { holdFolder } from './held-folder.ts'
import { linkInWay, namesOf, refuseLinks } from './safe-path.ts'

/** Where Linux shows the open files of this process. A path through it leads into the opened folder, even if it was moved. */
const OPENED = '/proc/self/fd'
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY
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
  /** Makes the folders that are missing, for this user alone (0700). Default false. */
  make?: boolean
}

/**
 * Calls `use` with a path that leads to a folder below `root`, even if an agent replaces the folder by a link meanwhile. Only
 * Linux can do that. On other systems the folders are checked for links first.
 *
 * @param names of the folders below `root`; none of them may be a link
 * @throws AskError `UNSAFE_PATH` for a link, or for what is no folder; the system's `ENOENT` for a missing folder.
 */
export async function inFolder<T>(
  root: string,
  names: readonly string[],
  use: (folder: string) => Promise<T>,
  { make = false }: HoldOptions = {},
): Promise<T> {
  const path = join(root, ...names)
  if (!canHold) {
    await refuseLinks(root, names)
    if (make) await ensureDir(path, { mode: 0o700 })
    return use(path)
  }
  const held = holdFolder(path, async () => (await openAtOnce(path)) ?? (await descend(root, names, make)), {
    share: !make,
  })
  try {
    const folder = heldPath(await held.folder)
    return await use(folder).catch((error: unknown) => {
      throw withNames(error, folder, path)
    })
  } finally {
    await held.release()
  }
}

/** Works on a file below `root` as {@link inFolder} does in its folder. `use` must not follow the file itself. */
export async function atFile<T>(
  root: string,
  path: string,
  use: (path: string) => Promise<T>,
  options?: HoldOptions,
): Promise<T> {
  const names = namesOf(path)
  const name = names.pop() as string
  return inFolder(root, names, (folder) => use(join(folder, name)), options)
}

const heldPath = ({ fd }: FileHandle): string => `${OPENED}/${fd}`

/** Opens the folder if its path has no links. Almost every call ends here. */
async function openAtOnce(path: string): Promise<FileHandle | null> {
  // The folder is missing, or there is a link. The slow way finds out.
  const folder = await open(path, FOLDER).catch(() => null)
  if (folder === null) return null
  if ((await readlink(heldPath(folder)).catch(() => null)) === path) return folder
  await folder.close()
  return null
}

/** Opens each folder from its parent. It makes missing folders, and finds links. */
async function descend(root: string, names: readonly string[], make: boolean): Promise<FileHandle> {
  if (make) await ensureDir(root, { mode: 0o700 })
  let folder = await open(root, FOLDER)
  for (const [index, name] of names.entries()) {
    try {
      const next = await openFolder(`${heldPath(folder)}/${name}`, make)
      await folder.close()
      folder = next
    } catch (error) {
      const held = heldPath(folder)
      await folder.close()
      if (!['ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? ''))
        throw withNames(error, held, join(root, ...names.slice(0, index)))
      throw linkInWay(join(root, ...names.slice(0, index + 1)), error)
    }
  }
  return folder
}

async function openFolder(path: string, make: boolean): Promise<FileHandle> {
  try {
    return await open(path, FOLDER | constants.O_NOFOLLOW)
  } catch (error) {
    if (!make || errorCode(error) !== 'ENOENT') throw error
  }
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error // Another process was faster.
  }
  return open(path, FOLDER | constants.O_NOFOLLOW)
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
