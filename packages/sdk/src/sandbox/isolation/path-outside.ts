import { existsSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { isInside } from './is-inside.ts'

/** Where programs of this process's sandboxes write. */
const workdirs = new Set<string>()

/** Keeps the host from looking for its own programs in a workdir; absolute, without links. */
export const distrust = (workdir: string): void => void workdirs.add(workdir)

/**
 * The `PATH` of this process without the folders in which an agent can put programs, such as the `node_modules/.bin`
 * that npm puts in front: what makes a sandbox is looked for by it, and runs outside.
 */
export const pathOutside = (path: string = process.env.PATH ?? ''): string =>
  path.split(delimiter).filter(isTrusted).join(delimiter)

function isTrusted(folder: string): boolean {
  if (!isAbsolute(folder) || !existsSync(folder)) return false
  const real = realpathSync(folder)
  return ![...workdirs].some((workdir) => isInside(workdir, real))
}
