import { AskError } from '@sandagent/core'
import { findProgram } from '../isolation/find-program.ts'
import { REQUEST_DESCRIPTOR } from '../isolation/launch-request.ts'
import type { Launch } from './launch.ts'

const WORD = 'go'

/** The variable that the word is read into. The program does not get it. */
const VARIABLE = 'SANDAGENT_GATE'

/** Becomes the program after it has read the word. Ends if the host ends without sending it. */
const SCRIPT = [
  `read -r ${VARIABLE} <&${REQUEST_DESCRIPTOR}`,
  `[ "$${VARIABLE}" = ${WORD} ] || { echo 'sandagent: the host ended before it had started this' >&2; exit 125; }`,
  `unset ${VARIABLE}`,
  `exec ${REQUEST_DESCRIPTOR}<&-`,
  'exec "$@"',
].join('\n')

/**
 * Wraps a program in a shell that waits for a word and then becomes the program, with the same process id. The isolation's
 * launcher needs no gate: it waits for its request. Shells pass on only variables whose names are valid in a shell.
 *
 * @throws AskError `NOT_FOUND` when there is no such program.
 */
export async function behindGate(
  { command, args, env, user }: Launch,
  workdir: string,
): Promise<Launch & { request: string }> {
  if (!(await findProgram(command, { path: env.PATH, folder: workdir }))) throw noProgram(command)
  return { command: '/bin/sh', args: ['-c', SCRIPT, 'sh', command, ...args], env, user, request: `${WORD}\n` }
}

export function noProgram(command: string): AskError {
  const cause = Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' })
  return new AskError(
    'NOT_FOUND',
    `${command} cannot be started: there is no such program on the PATH. Install it, or give its path`,
    { cause },
  )
}
