import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { AskError, failedWith } from '@sandagent/core/internal'
import { takeSecret } from '@sandagent/runner'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { SECRET } from './secret-args.ts'

/**
 * Starts a command that gets a secret. Resolves to the exit code of the command.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage, before the secret is read; `NOT_FOUND` for a command that is not there, and errors of
 *   `takeSecret`.
 */
export async function secret(
  args: readonly string[],
  { signal }: Pick<CliIo, 'signal'>,
): Promise<number | undefined> {
  const { values, words } = readCommandLine(SECRET, args)
  const [id, command, ...commandArgs] = words
  if (id === undefined || command === undefined)
    throw usage(
      'Name the secret and the command that gets it: secret ID -- COMMAND. A secret is never printed',
    )
  const { env: name } = values
  if (name !== undefined && !/^[A-Za-z_]\w*$/.test(name)) throw usage('--env takes the name of a variable')
  const text = await takeSecret(id)
  const child = spawn(command, commandArgs, {
    stdio: [name === undefined ? 'pipe' : 'inherit', 'inherit', 'inherit'],
    ...(name !== undefined && { env: { ...process.env, [name]: text } }),
    signal,
    killSignal: 'SIGTERM',
  })
  // A command need not read it.
  child.stdin?.on('error', () => {})
  child.stdin?.end(text)
  try {
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return code ?? (by === null ? 1 : 128 + constants.signals[by])
  } catch (cause) {
    if (signal.aborted) return undefined
    if (!failedWith(cause, ['ENOENT', 'EACCES'])) throw cause
    throw new AskError(
      'NOT_FOUND',
      `The command ${command} cannot be started. The secret is used up: ask again`,
      {
        cause,
      },
    )
  }
}
