import { lstatSync, type Stats } from 'node:fs'
import { systemName } from './process-handle.ts'

/** What tells a folder from every other one, also from one that later gets its inode. */
export type FolderStats = Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'>

/** Without the call statx, which some containers forbid, Node gives the time of the last change for that of the birth. */
let knowsBirths: boolean | undefined

function canKnowBirths(): boolean {
  if (process.platform !== 'linux') return true
  const { birthtimeMs, ctimeMs } = lstatSync('/proc/self')
  return birthtimeMs !== ctimeMs
}

/** Names a folder: `DEVICE:INODE:BIRTH`, the birth in milliseconds since 1970; 0 where the system does not tell it. */
export function folderName({ dev, ino, birthtimeMs }: FolderStats): string {
  knowsBirths ??= canKnowBirths()
  return `${dev}:${ino}:${knowsBirths ? Math.floor(birthtimeMs) : 0}`
}

/**
 * Names a folder and its machine: `DEVICE:INODE:BIRTH HOST/BOOT`. All processes of the machine find the same name for it, and
 * another one for its copy. `undefined` where the system does not tell it.
 */
export function folderIdentityOf(folder: FolderStats): string | undefined {
  const system = systemName()
  return system && `${folderName(folder)} ${system}`
}

/** Whether two places are different folders for sure. That is unknown on different machines and after a new boot. */
export function isOtherPlace(one: string, other: string): boolean {
  const [[folder = '', system], [otherFolder = '', otherSystem]] = [one.split(' '), other.split(' ')]
  if (system === undefined || system !== otherSystem) return false
  const [[dev, ino, birth], [otherDev, otherIno, otherBirth]] = [folder.split(':'), otherFolder.split(':')]
  const areBorn = birth !== '0' && otherBirth !== '0'
  return dev !== otherDev || ino !== otherIno || (areBorn && birth !== otherBirth)
}
