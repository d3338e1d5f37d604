import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { AskError } from '@sandagent/core/internal'
import { handOverSecret } from '@sandagent/runner'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { SECRET } from './secret-args.ts'

/**
 * Starts a command that gets a secret. Resolves to the exit code of the command.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` for a command that cannot be started: the secret stays then;
 *   and errors of `takeSecret`.
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
  try {
    const { exit } = await handOverSecret(id, async (text) => {
      if (name !== undefined && text.includes('\0'))
        throw usage('This secret has a character that no variable can hold: use it without --env')
      const child = await started(command, commandArgs, {
        stdio: [name === undefined ? 'pipe' : 'inherit', 'inherit', 'inherit'],
        ...(name !== undefined && { env: { ...process.env, [name]: text } }),
        signal,
        killSignal: 'SIGTERM',
      })
      const exit = exitOf(child)
      exit.catch(() => {})
      // A command need not read it.
      child.stdin?.on('error', () => {})
      child.stdin?.end(text)
      return { exit }
    })
    return await exit
  } catch (cause) {
    if (signal.aborted) return undefined
    throw cause
  }
}

async function started(command: string, args: string[], options: SpawnOptions): Promise<ChildProcess> {
  try {
    const child = spawn(command, args, options)
    await once(child, 'spawn')
    return child
  } catch (cause) {
    throw new AskError('NOT_FOUND', `The command ${command} cannot be started, so the secret stays`, {
      cause,
    })
  }
}

async function exitOf(child: ChildProcess): Promise<number> {
  const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return code ?? (by === null ? 1 : 128 + constants.signals[by])
}
