import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'

/** Where a program is, as `execvp` looks for it: by `PATH`, or from `folder` on when it is a path; `null` for nowhere. */
export async function findProgram(
  command: string,
  { path = '', folder }: { path?: string | undefined; folder: string },
): Promise<string | null> {
  const candidates = command.includes('/')
    ? [resolve(folder, command)]
    : path.split(delimiter).map((place) => resolve(folder, place, command))
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
