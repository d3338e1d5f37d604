import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, extname, join, resolve } from 'node:path'
import { AskError } from '@sandagent/core/internal'

/** What starts a script, by the end of its name. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.mjs': 'node',
  '.js': 'node',
  '.cjs': 'node',
  '.sh': 'sh',
}

/** Why the system starts no such program, with what to do. Often it is a script whose interpreter was left out. */
export function whyNotStarted(
  command: string,
  workdir: string,
  { code, cause }: { code: 'ENOENT' | 'EACCES'; cause?: unknown },
): AskError {
  const isThere = existsSync(resolve(workdir, command))
  const place = command.includes('/') ? command : (onPath(command) ?? command)
  const interpreter = isThere ? INTERPRETERS[extname(command)] : undefined
  const fail = (why: string): AskError =>
    new AskError('NOT_FOUND', `${command} cannot be started: ${why}`, { cause })
  if (!canEnter(workdir))
    return fail(
      code === 'EACCES'
        ? `this user may not enter the folder ${workdir}`
        : `there is no folder ${workdir}. Make it, or correct the name`,
    )
  if (interpreter !== undefined) return fail(`it is a script. Start ${interpreter} ${command}`)
  return fail(
    code === 'EACCES'
      ? `it may not be executed. Allow it: chmod +x ${place}`
      : 'there is no such program. Install it, or correct its name',
  )
}

/** The system has the same code for a folder as for a program that is missing or forbidden. */
function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where the system found a program that it may not execute. */
const onPath = (command: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path))
