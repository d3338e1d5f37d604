import { existsSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { isInside } from './is-inside.ts'

/** The workdirs of this process's sandboxes. */
const workdirs = new Set<string>()

/** Keeps the host from looking for programs in a workdir (an absolute path without links). */
export const distrust = (workdir: string): void => void workdirs.add(workdir)

/**
 * The `PATH` of this process without folders that an agent can write to, such as `node_modules/.bin`, which npm adds. The
 * host finds the programs that make a sandbox by it, and runs them outside.
 */
export const pathOutside = (path: string = process.env.PATH ?? ''): string =>
  path.split(delimiter).filter(isTrusted).join(delimiter)

function isTrusted(folder: string): boolean {
  if (!isAbsolute(folder) || !existsSync(folder)) return false
  return !isInWorkdir(realpathSync(folder))
}

/** Whether an absolute path is in a workdir of this process's sandboxes. */
export const isInWorkdir = (path: string): boolean => [...workdirs].some((workdir) => isInside(workdir, path))
