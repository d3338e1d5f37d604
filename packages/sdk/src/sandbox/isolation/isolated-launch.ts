import { basename, dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { stateFolders } from '@sandagent/files/internal'
import { noProgram } from '../gate.ts'
import type { Launch } from '../launch.ts'
import { defined, passedOn } from './environment.ts'
import { findProgram } from './find-program.ts'
import type { LaunchRequest } from './launch-request.ts'
import { launcherFile } from './launcher-file.ts'
import { nodeProgram } from './node-program.ts'
import { pathOutside } from './path-outside.ts'
import type { ProgramAccess } from './policy.ts'
import { makeWorkdirFolders } from './workdir-folders.ts'

/** The longest word that Linux takes on a command line, in bytes. */
const MAX_WORD_BYTES = 128 * 1024 - 1

/**
 * How the launcher starts a program inside.
 *
 * @throws AskError `UNSAFE_PATH` when a mounted folder is something else, `NOT_FOUND` for an unknown program,
 *   `INVALID_REQUEST` for invalid arguments.
 */
export async function isolatedLaunch(
  command: string,
  args: readonly string[],
  { access, env = {} }: { access: ProgramAccess; env?: Readonly<Record<string, string | undefined>> },
): Promise<Launch & { request: string }> {
  const { workdir, stateFolder } = access
  const own = defined({ ...passedOn(), HOME: join(workdir, stateFolders({ stateFolder }).home), ...env })
  refuseInvalidWords(command, args)
  const program = await findProgram(command, { path: own.PATH, folder: workdir })
  if (program === null) throw noProgram(command)
  await makeWorkdirFolders(workdir, { stateFolder })
  const readable = [...access.readable, ...modulesOf(program)]
  const request: LaunchRequest = { ...access, readable, command, args, env: own }
  return {
    command: nodeProgram(),
    args: [await launcherFile()],
    // The launcher belongs to the host. It must not get the program's variables, nor the program those of the launcher.
    env: { PATH: pathOutside(), HOME: process.env.HOME },
    request: JSON.stringify(request),
  }
}

/** The packages beside a program that came with one of them: in a workspace, each app has a folder of its own. */
const modulesOf = (program: string): string[] => {
  const bin = dirname(program)
  const modules = dirname(bin)
  return basename(bin) === '.bin' && basename(modules) === 'node_modules' ? [modules] : []
}

function refuseInvalidWords(command: string, args: readonly string[]): void {
  const isWord = (word: string): boolean => !word.includes('\0') && Buffer.byteLength(word) <= MAX_WORD_BYTES
  if (![command, ...args].every(isWord))
    throw new AskError(
      'INVALID_REQUEST',
      `${command} cannot be started like this: a word has a NUL character, or is too long`,
    )
}
