import { constants } from 'node:fs'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { AskError } from '@sandagent/core'

/** @throws AskError `UNSAFE_PATH` when the path leads out of the workdir, also by a symlink. */
export async function writeFileInside(workdir: string, path: string, text: string): Promise<void> {
  const root = await realpath(workdir)
  const target = resolve(root, path)
  if (!isInside(root, target) || !isInside(root, await nearestFolder(dirname(target))))
    throw new AskError(
      'UNSAFE_PATH',
      `The path ${path} leads out of the workdir ${workdir}. Scripts write only inside`,
    )
  await mkdir(dirname(target), { recursive: true })
  const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  await writeFile(target, text, { flag })
}

const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The real path of a folder, or of the nearest one above it that exists. */
async function nearestFolder(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return nearestFolder(dirname(path))
  }
}

export interface CommandResult {
  stdout: string
  stderr: string
  exitCode: number | undefined
  /** In one line; `null` for a success. */
  failure: string | null
}

/** Runs a command in the workdir, without a shell and without input. It is killed when the signal aborts. */
export async function runCommand(
  workdir: string,
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  const { execa } = await import('execa') // Takes long to load.
  const result = await execa(command, args, {
    cwd: workdir,
    stdin: 'ignore',
    reject: false,
    cancelSignal: signal,
  })
  return {
    stdout: stripVTControlCharacters(result.stdout),
    stderr: stripVTControlCharacters(result.stderr),
    exitCode: result.exitCode,
    failure: result.failed ? (result.shortMessage ?? 'The command failed') : null,
  }
}
