import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AskError } from '@sandagent/core'

/** Makes a folder and its parents, by an absolute path. @throws AskError `UNSAFE_PATH` when there can be no such folder. */
export function makeFolder(path: string): void {
  try {
    makeMissing(path)
  } catch (cause) {
    throw unusable(path, (cause as Error).message, cause)
  }
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unusable(path, 'it is no folder')
}

/** Makes one folder at a time: Node's recursive mkdir never ends in places such as /proc. */
function makeMissing(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeMissing(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // Another process was faster.
  }
}

const unusable = (path: string, why: string, cause?: unknown): AskError =>
  new AskError('UNSAFE_PATH', `The folder ${path} cannot be used: ${why}`, { facts: { path }, cause })
