import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { stateFolders } from '@sandagent/files/internal'
import { noProgram } from '../gate.ts'
import type { Launch } from '../launch.ts'
import { packageFolder } from './code-folders.ts'
import { defined, passedOn } from './environment.ts'
import { findProgram } from './find-program.ts'
import type { LaunchRequest } from './launch-request.ts'
import { nodeProgram } from './node-program.ts'
import { pathOutside } from './path-outside.ts'
import type { ProgramAccess } from './policy.ts'
import { makeWorkdirFolders } from './workdir-folders.ts'

/** The built file, even if the sources run: only Node itself starts it. */
const launcher = (): string => join(packageFolder(), 'dist/sandbox/isolation/launcher.js')

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
  await refuse(command, args, { path: own.PATH, folder: workdir })
  await makeWorkdirFolders(workdir, { stateFolder })
  const request: LaunchRequest = { ...access, command, args, env: own }
  return {
    command: nodeProgram(),
    args: [launcher()],
    // The launcher belongs to the host. It must not get the program's variables, nor the program those of the launcher.
    env: { PATH: pathOutside(), HOME: process.env.HOME },
    request: JSON.stringify(request),
  }
}

async function refuse(
  command: string,
  args: readonly string[],
  { path, folder }: { path: string | undefined; folder: string },
): Promise<void> {
  const isWord = (word: string): boolean => !word.includes('\0') && Buffer.byteLength(word) <= MAX_WORD_BYTES
  if (![command, ...args].every(isWord))
    throw new AskError('INVALID_REQUEST', `${command} cannot be started like this`)
  if (!(await findProgram(command, { path, folder }))) throw noProgram(command)
}
