import { lstat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { AskError } from '@sandagent/core'
import { errorCode } from './error-code.ts'

/**
 * The absolute path of a file below `root`. The folders on the way may be missing but not be links, or they would
 * lead elsewhere; the file itself is for the caller to open without following or to replace.
 *
 * This looks before the caller acts: it stops what an agent planted, not one that swaps folders in between.
 *
 * @param path relative to `root`, `/` between names
 * @throws AskError `UNSAFE_PATH`
 */
export async function safePath(root: string, path: string): Promise<string> {
  const names = namesOf(path)
  await refuseLinks(root, names.slice(0, -1))
  return join(root, ...names)
}

/**
 * The absolute path of a folder below `root`, `.` for `root` itself, see {@link safePath}.
 *
 * @throws AskError `UNSAFE_PATH` also when it is no folder.
 */
export async function safeFolder(root: string, path: string): Promise<string> {
  const names = path === '.' ? [] : namesOf(path)
  await refuseLinks(root, names)
  return join(root, ...names)
}

/** The names of a relative path, none of which leads upwards or elsewhere. */
export function namesOf(path: string): string[] {
  const names = path.split('/')
  const isName = (name: string): boolean =>
    name !== '' && name !== '.' && name !== '..' && !name.includes(sep) && !name.includes('\0')
  if (!names.every(isName)) throw unsafePath(path, 'it must be relative and stay inside')
  return names
}

async function refuseLinks(root: string, names: readonly string[]): Promise<void> {
  let path = root
  for (const name of names) {
    path = join(path, name)
    const stats = await lstat(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    })
    if (stats === null) return
    if (!stats.isDirectory()) throw unsafePath(path, 'a part of it is a link or no folder')
  }
}

/** The error for a path that must not be used. */
export const unsafePath = (path: string, why: string, cause?: unknown): AskError =>
  new AskError('UNSAFE_PATH', `This path cannot be used: ${why}`, { facts: { path }, cause })
