import { constants, fchmodSync, fchownSync, lstatSync, type Stats } from 'node:fs'
import { failedWith } from '@sandagent/core/internal'
import type { DiskCalls } from './disk-calls.ts'

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

/** What the owner may do, the group may do, except for writing. */
const modeFor = ({ isShared = false }: Owner, mode: number): number =>
  isShared ? mode | ((mode & 0o500) >> 3) : mode

/** The error codes of a root who may not give files away, or who does not have the user: in some containers and on some disks. */
const CANNOT_GIVE = ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP']

/**
 * For root: the user of the first folder that exists. What root makes there would be out of reach for that user.
 *
 * @param folders absolute paths
 */
export function offeredTo(folders: readonly string[]): Owner | undefined {
  if (process.platform === 'win32' || process.geteuid?.() !== 0) return undefined
  for (const folder of folders) {
    const stats = statsOf(folder)
    if (stats) return stats.uid === 0 ? undefined : { uid: stats.uid, gid: stats.gid, isOffered: true }
  }
  return undefined
}

/** `undefined` for what is not there, also where the folder around it is a file. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (failedWith(error, ['ENOTDIR'])) return undefined
    throw error
  }
}

/** Gives an opened file or folder to its owner. */
export function giveTo(owner: Owner, opened: number, mode: number): void {
  try {
    fchownSync(opened, owner.uid, owner.gid)
  } catch (error) {
    if (!(owner.isOffered && failedWith(error, CANNOT_GIVE))) throw error
    return
  }
  fchmodSync(opened, modeFor(owner, mode))
}

/** The calls that give each file to its owner when they create it. */
export const callsFor = (owner: Owner | undefined, calls: DiskCalls): DiskCalls =>
  owner === undefined
    ? calls
    : {
        ...calls,
        async open(path, flags, mode = 0o600) {
          const file = await calls.open(path, flags, mode)
          if (flags & constants.O_CREAT) giveTo(owner, file, mode)
          return file
        },
      }
