import { fchmodSync, fchownSync, fstatSync, lstatSync, type Stats } from 'node:fs'
import { AskError, failedWith } from '@sandagent/core/internal'
import type { DiskCalls } from '../lib/disk-calls.ts'

/** The user and the group that get a new file or folder. Only root can give files away. */
export interface Owner {
  uid: number
  gid: number
  /** Whether the group may read it. Default false. */
  isShared?: boolean
  /** Whether it stays with root where files cannot be given away. Default false: that is an error. */
  isOffered?: boolean
}

/** The owner of a path below the workdir; `undefined` for the user of this process. */
export type OwnerOf = (path: string) => Owner | undefined

/** Gives an opened file or folder, which was made with a mode, to another user. */
export type Give = (opened: number, mode: number) => void

/**
 * The error codes of a root who may not give files away, or who does not have the user: in some containers and on some disks.
 */
const CANNOT_GIVE = ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP']

/** Gives to an owner. What the owner may do, the group may do if it is shared, except for writing. */
export const ownersGive =
  ({ uid, gid, isShared, isOffered }: Owner): Give =>
  (opened, mode) => {
    try {
      fchownSync(opened, uid, gid)
    } catch (error) {
      if (!(isOffered && failedWith(error, CANNOT_GIVE))) throw error
      return
    }
    fchmodSync(opened, isShared ? mode | ((mode & 0o500) >> 3) : mode)
  }

/**
 * For root: the user of a folder, or of another one if it is missing. What root makes there would be out of reach for that
 * user.
 */
export function offeredTo(folder: string, otherwise: string): Owner | undefined {
  if (process.platform === 'win32' || process.geteuid?.() !== 0) return undefined
  const statsOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })
  const { uid = 0, gid = 0 } = statsOf(folder) ?? statsOf(otherwise) ?? {}
  return uid === 0 ? undefined : { uid, gid, isOffered: true }
}

/**
 * For the user of a file, or of another one if it is missing, who must be able to read a new file. `undefined` if that is the
 * user of this process, or root, who may read all.
 *
 * @param path absolute
 */
export async function readersGive(
  calls: DiskCalls,
  path: string,
  otherwise: string,
): Promise<Give | undefined> {
  const reader = (await calls.lstat(path)) ?? (await calls.lstat(otherwise))
  // On Windows everything belongs to user 0.
  if (!reader || reader.uid === 0 || reader.uid === process.geteuid?.()) return undefined
  return (opened) => letRead(reader, opened)
}

/**
 * Gives an opened file or folder to the group of its reader, who may then read it, or enter it, and not write. What the reader
 * can read already stays as it is.
 *
 * @throws AskError `WRONG_USER`
 */
function letRead(reader: Stats, opened: number): void {
  const stats = fstatSync(opened)
  const { uid, gid, mode } = stats
  const [needed, given] = stats.isDirectory() ? [0o1, 0o050] : [0o4, 0o040]
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
