// Why it is so: docs/decisions/0024-a-process-between-host-and-program.md

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { AskError } from '@sandagent/core'
import { stateFolders } from '@sandagent/files/internal'
import { noProgram } from '../programs/gate.ts'
import type { Launch } from '../programs/launch.ts'
import { findProgram } from './find-program.ts'
import type { LaunchRequest } from './launch-request.ts'
import { launcherFile } from './launcher-file.ts'
import { nodeProgram } from './node-program.ts'
import { foldersAbove, pathOutside } from './path-outside.ts'
import { canBeRead, type ProgramAccess } from './policy.ts'
import { makeWorkdirFolders } from './workdir-folders.ts'

/** The longest word that Linux takes on a command line, in bytes. */
const MAX_WORD_BYTES = 128 * 1024 - 1

/**
 * How the launcher starts a program inside.
 *
 * @throws AskError `UNSAFE_PATH` when a mounted folder is something else, `NOT_FOUND` for an unknown program,
 *   `ISOLATION_UNAVAILABLE` for one that programs inside cannot read, `INVALID_REQUEST` for invalid arguments.
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
  const sees = { ...access, readable: [...access.readable, ...modulesOf(program), ...modulesAbove(workdir)] }
  const started = placeInside(program, sees)
  const [first = '', ...others] = args
  const script = isScript(program, first) ? placeInside(first, sees) : null
  await makeWorkdirFolders(workdir, { stateFolder })
  const request: LaunchRequest = {
    ...access,
    readable: [...sees.readable, ...started.packages, ...(script?.packages ?? [])],
    command: started.path === program ? command : started.path,
    args: script ? [script.path, ...others] : args,
    env: own,
  }
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

/**
 * Where Node looks for what programs of the workdir import. A link may be the work of an agent in a folder around the workdir.
 */
const modulesAbove = (workdir: string): string[] =>
  foldersAbove(workdir)
    .map((folder) => join(folder, 'node_modules'))
    .filter((path) => existsSync(path) && lstatSync(path).isDirectory())

/** Whether Node is started with a file of the host's. */
const isScript = (program: string, first: string): boolean =>
  isAbsolute(first) && existsSync(first) && realpathSync(program) === realpathSync(nodeProgram())

/**
 * By which path a program inside reads a file, and the packages that the file came with. `~/.npm-global/bin` holds links to
 * packages: neither can be seen inside by itself.
 */
function placeInside(path: string, access: ProgramAccess): { path: string; packages: string[] } {
  const real = realpathSync(path)
  const packages = canBeRead(real, access) ? [] : packagesOf(real)
  if (!canBeRead(real, { ...access, readable: [...access.readable, ...packages] }))
    throw new AskError(
      'ISOLATION_UNAVAILABLE',
      `${path} cannot be started: isolated programs cannot read it there. Install it beside the host (npm install) or for the whole system, or list its folder in \`readable\``,
    )
  return { path: canBeRead(path, access) ? path : real, packages }
}

function packagesOf(path: string): string[] {
  const names = path.split(sep)
  const modules = names.indexOf('node_modules')
  return modules === -1 ? [] : [names.slice(0, modules + 1).join(sep)]
}

function refuseInvalidWords(command: string, args: readonly string[]): void {
  const isWord = (word: string): boolean => !word.includes('\0') && Buffer.byteLength(word) <= MAX_WORD_BYTES
  if (![command, ...args].every(isWord))
    throw new AskError(
      'INVALID_REQUEST',
      `${command} cannot be started like this: a word has a NUL character, or is too long`,
    )
}

/** Variables for finding programs, language and terminal. */
const PASSED_ON = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR)$/

/** The variables of this process that pass into a sandbox: none that could be a secret. */
export const passedOn = (environment: NodeJS.ProcessEnv = process.env): Record<string, string> =>
  defined(Object.fromEntries(Object.entries(environment).filter(([name]) => PASSED_ON.test(name))))

/** The variables that have a value. */
export const defined = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
