import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, relative, sep } from 'node:path'

const workdirs = new Set<string>()

/** How many workdirs there may be before those that were removed are forgotten. */
let mostKnown = 1000

/** Keeps the host from looking for programs in a workdir (an absolute path without links). */
export function distrust(workdir: string): void {
  workdirs.add(workdir)
  if (workdirs.size <= mostKnown) return
  for (const known of workdirs) if (!existsSync(known)) workdirs.delete(known)
  mostKnown = Math.max(1000, 2 * workdirs.size)
}

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
export const isInWorkdir = (path: string): boolean =>
  [path, ...foldersAbove(path)].some((folder) => workdirs.has(folder))

/** The folders that a path lies in, the nearest first. */
export const foldersAbove = (path: string): string[] => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...foldersAbove(parent)]
}

/** Whether `path` is `folder` or below it; both absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
