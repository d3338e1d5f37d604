import { AskError } from '@sandagent/core'
import { findProgram } from './isolation/find-program.ts'
import { REQUEST_DESCRIPTOR } from './isolation/launch-request.ts'
import type { Launch } from './launch.ts'

const WORD = 'go'

/** Where the word is read: no variable that a program needs, and none that it gets. */
const VARIABLE = 'SANDAGENT_GATE'

/** Becomes the program when it has read the word, and ends when its host is gone without saying it. */
const SCRIPT = [
  `read -r ${VARIABLE} <&${REQUEST_DESCRIPTOR}`,
  `[ "$${VARIABLE}" = ${WORD} ] || { echo 'sandagent: the host ended before it had started this' >&2; exit 125; }`,
  `unset ${VARIABLE}`,
  `exec ${REQUEST_DESCRIPTOR}<&-`,
  'exec "$@"',
].join('\n')

/**
 * The same program behind a gate: a shell that waits for a word and then becomes the program, under the same process
 * number. The isolation's launcher needs none, it waits for its request. Shells pass on only variables whose names they
 * could set.
 *
 * @throws AskError `NOT_FOUND` when there is no such program.
 */
export async function behindGate(
  { command, args, env }: Launch,
  workdir: string,
): Promise<Launch & { request: string }> {
  if (!(await findProgram(command, { path: env.PATH, folder: workdir }))) throw noProgram(command)
  return { command: '/bin/sh', args: ['-c', SCRIPT, 'sh', command, ...args], env, request: `${WORD}\n` }
}

/** The error for a program that does not exist. */
export function noProgram(command: string): AskError {
  const cause = Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' })
  return new AskError('NOT_FOUND', `${command} cannot be started`, { cause })
}
