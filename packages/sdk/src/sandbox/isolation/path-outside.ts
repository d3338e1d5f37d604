import { existsSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, relative, sep } from 'node:path'

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

/** Whether `path` is `folder` or below it; both absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
