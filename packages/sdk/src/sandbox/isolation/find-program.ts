import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'

/** Finds a program as `execvp` does: by `PATH`, or relative to `folder` if it is a path; `null` if it does not exist. */
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
