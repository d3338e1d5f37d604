import { lstat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { AskError, errorCode } from '@sandagent/core/internal'

/** The names of a relative path, `/` between them. @throws AskError `UNSAFE_PATH` for names that lead upwards or elsewhere. */
export function namesOf(path: string): string[] {
  const names = path.split('/')
  const isName = (name: string): boolean =>
    name !== '' && name !== '.' && name !== '..' && !name.includes(sep) && !name.includes('\0')
  if (!names.every(isName)) throw unsafePath(path, 'it must be relative and stay inside')
  return names
}

/**
 * Checks that no folder below `root` is a link, as far as they exist. An agent can still put links there afterwards: see
 * `inFolder`.
 *
 * @throws AskError `UNSAFE_PATH`
 */
export async function refuseLinks(root: string, names: readonly string[]): Promise<void> {
  let path = root
  for (const name of names) {
    path = join(path, name)
    const stats = await lstat(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    })
    if (stats === null) return
    if (!stats.isDirectory()) throw linkInWay(path)
  }
}

/** The error for a folder of the path that is a link or no folder. */
export const linkInWay = (path: string, cause?: unknown): AskError =>
  unsafePath(path, 'a part of it is a link or no folder', cause)

export const unsafePath = (path: string, why: string, cause?: unknown): AskError =>
  new AskError('UNSAFE_PATH', `This path cannot be used: ${why}`, { facts: { path }, cause })
