import { constants, fchmodSync, fchownSync, fstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import type { DiskCalls } from './disk-calls.ts'

/** Another user of this machine, who must be able to read a file. */
export type Reader = Pick<Stats, 'uid' | 'gid'>

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** What a reader needs, and what its group then gets. */
const FILE = { needed: 0o4, given: 0o040 }
const FOLDER = { needed: 0o1, given: 0o050 }

/**
 * Finds the user of the first path that exists; `undefined` if that is the user of this process, or root, who may read all.
 *
 * @param paths relative to `root`
 */
export async function readerOf(
  calls: DiskCalls,
  root: string,
  paths: readonly string[],
): Promise<Reader | undefined> {
  const own = process.geteuid?.()
  if (own === undefined) return undefined // Windows has no such users.
  for (const path of paths) {
    const stats = await calls.lstat(join(root, path))
    if (stats) return stats.uid === own || stats.uid === 0 ? undefined : stats
  }
  return undefined
}

/** The calls that let a reader read each file that they create. */
export const callsForReader = (reader: Reader, calls: DiskCalls): DiskCalls => ({
  ...calls,
  async open(path, flags, mode = 0o600) {
    const file = await calls.open(path, flags, mode)
    if (flags & constants.O_CREAT) await orClosed(calls, file, () => letRead(reader, file, FILE))
    return file
  },
  async makeFolder(path) {
    await calls.makeFolder(path)
    await letEnter(reader, calls, path)
  },
})

/**
 * Lets a reader enter the folder of a file.
 *
 * @param opened the folder, if it is open already
 * @throws AskError `WRONG_USER`
 */
export async function letEnter(
  reader: Reader,
  calls: DiskCalls,
  path: string,
  opened?: number,
): Promise<void> {
  if (opened !== undefined) return letRead(reader, opened, FOLDER)
  const folder = await calls.open(path, FOLDER_FLAGS)
  await orClosed(calls, folder, () => letRead(reader, folder, FOLDER))
  await calls.close(folder)
}

/**
 * Gives an opened file or folder to the group of its reader, who may then read and not write. What the reader can read
 * already stays as it is.
 */
function letRead(reader: Reader, opened: number, { needed, given }: typeof FILE): void {
  const { uid, gid, mode } = fstatSync(opened)
  const allowed = uid === reader.uid ? mode >> 6 : gid === reader.gid ? mode >> 3 : mode
  if (allowed & needed) return
  try {
    if (uid !== process.geteuid?.()) throw new Error('It belongs to a third user')
    fchownSync(opened, uid, reader.gid)
    fchmodSync(opened, (mode & 0o7777) | given)
  } catch (cause) {
    throw new AskError('WRONG_USER', unreadable(reader.uid), { facts: { user: reader.uid }, cause })
  }
}

const unreadable = (user: number): string =>
  `The agent runs as another user (${user}) than this host (${process.geteuid?.()}), and could not read an answer. Run both as one user, or the host as root`

async function orClosed(calls: DiskCalls, opened: number, work: () => void): Promise<void> {
  try {
    work()
  } catch (error) {
    await calls.close(opened)
    throw error
  }
}
