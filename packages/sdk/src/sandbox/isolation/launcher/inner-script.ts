import type { LaunchRequest } from '../launch-request.ts'

/** The descriptors inside: the script, and the names of signals, one per line. */
export const SCRIPT_DESCRIPTOR = 3
export const SIGNALS_DESCRIPTOR = 4

/** The command for the sandbox. It is short, because Linux allows 128 KiB per word and the script may be longer. */
export const READ_SCRIPT: string = `eval "$(cat <&${SCRIPT_DESCRIPTOR})"`

/**
 * The shell script that becomes the program. A signal from outside would end the sandbox before its program. So signals
 * come as lines, and a process beside the program, which is not its child, sends them to it.
 */
export const innerScript = ({
  command,
  args,
  workdir,
  env,
}: Omit<LaunchRequest, 'readable' | 'hosts'>): string =>
  [
    `exec ${SCRIPT_DESCRIPTOR}<&-`,
    ...Object.entries(env)
      .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      .map(([name, value]) => `export ${name}=${quoted(value)}`),
    `cd ${quoted(workdir)} || exit`,
    // The shell has the launcher's own HOME.
    `unset OLDPWD ${env.HOME === undefined ? 'HOME' : ''}`,
    `( { while read -r signal <&${SIGNALS_DESCRIPTOR}; do kill -s "$signal" $$; done; } </dev/null >/dev/null 2>&1 & )`,
    `exec ${SIGNALS_DESCRIPTOR}<&-`,
    `exec ${[command, ...args].map(quoted).join(' ')}`,
  ].join('\n')

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
