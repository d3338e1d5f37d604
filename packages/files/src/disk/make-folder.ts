import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AskError, warningOf } from '@sandagent/core/internal'
import { isMissing } from '../lib/disk-calls.ts'
import type { OwnerOf } from './access.ts'
import { inFolder } from './folder.ts'

/**
 * Makes a folder and its parents below `root`, if they are missing, for their owners alone (0700).
 *
 * @param path relative to `root`, `/` between names
 * @param ownerOf the owners of new folders. Default: the user of this process
 * @throws AskError `UNSAFE_PATH` when a part of the path is a link or no folder.
 */
export const makeFolderSafely = (root: string, path: string, ownerOf?: OwnerOf): Promise<void> =>
  inFolder(root, path, async () => {}, { make: true, ownerOf })

/** Makes a folder below `root` if it is missing and this process may do so. */
export async function makeIfPossible(root: string, path: string, ownerOf?: OwnerOf): Promise<void> {
  try {
    if (await isMissing(root, path)) await makeFolderSafely(root, path, ownerOf)
  } catch (error) {
    warningOf(error)
  }
}

/**
 * Makes a folder and its parents, by an absolute path.
 *
 * @param mode of what is made. Default: as the system has it
 * @throws AskError `UNSAFE_PATH` when there can be no such folder.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    makeMissing(path, mode)
  } catch (cause) {
    throw unusable(path, (cause as Error).message, cause)
  }
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unusable(path, 'it is no folder')
}

/** Makes one folder at a time: Node's recursive mkdir never ends in places such as /proc. */
function makeMissing(path: string, mode: number | undefined): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeMissing(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // Another process was faster.
  }
}

const unusable = (path: string, why: string, cause?: unknown): AskError =>
  new AskError('UNSAFE_PATH', `The folder ${path} cannot be used: ${why}`, { facts: { path }, cause })
