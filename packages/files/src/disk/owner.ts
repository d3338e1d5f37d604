import { constants, fchmodSync, fchownSync } from 'node:fs'
import type { DiskCalls } from './disk-calls.ts'

/** The user and the group that get a new file or folder. Only root can give files away. */
export interface Owner {
  uid: number
  gid: number
  /** Whether the group may read it. Default false. */
  isShared?: boolean
}

/** The owner of a path below the workdir; `undefined` for the user of this process. */
export type OwnerOf = (path: string) => Owner | undefined

/** What the owner may do, the group may do, except for writing. */
const modeFor = ({ isShared = false }: Owner, mode: number): number =>
  isShared ? mode | ((mode & 0o500) >> 3) : mode

/** Gives an opened file or folder to its owner. */
export function giveTo(owner: Owner, opened: number, mode: number): void {
  fchownSync(opened, owner.uid, owner.gid)
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
