// How much of a command a person is offered, by its first words. Names in these lists decide nothing else.

/** Programs that run other commands, that destroy, or that change what runs later. Only the exact command is offered. */
const ALONE = new Set(
  [
    'sh bash zsh dash fish ksh csh tcsh cmd powershell pwsh sudo su doas env xargs parallel eval exec source . command builtin',
    'nohup time timeout nice setsid watch ssh scp nc ncat socat telnet rm rmdir unlink shred dd mkfs chmod chown chgrp chattr',
    'kill pkill killall shutdown reboot halt mount umount crontab at systemctl launchctl useradd usermod passwd export alias',
    'unset set trap if for while until case function select coproc then else do',
  ].flatMap((line) => line.split(' ')),
)

/** Programs whose second word says what they do. */
const WITH_SUBCOMMAND = new Set(
  'git gh npm pnpm yarn npx pnpx bunx bun deno cargo go docker podman kubectl helm terraform pip pip3 uv poetry conda apt apt-get brew dotnet composer bundle rails mix mvn gradle make just aws gcloud az'.split(
    ' ',
  ),
)

/** Second words that say no more than that the third one is run. */
const RUN_THE_NEXT = new Set(['run', 'exec', 'x', 'dlx', 'run-script', 'compose', 'tool'])

/** Programs that run a file, or any text. */
const INTERPRETERS = new Set('node python python3 ruby perl php tsx ts-node lua Rscript java'.split(' '))

/** Programs that run whatever the files of a project say, or what they are given. */
const RUNS_CODE = new Set([
  ...INTERPRETERS,
  ...WITH_SUBCOMMAND,
  ...'find awk gawk sed tar rsync vim vi emacs less man cmake ninja tox pytest jest vitest'.split(' '),
])

/** A word that can stand in a grant: it begins with a letter or digit, so it is no option and no path from elsewhere. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_./:@+-]*$/

/**
 * The beginnings of a command that a person can allow, the longest and so the narrowest first. None for a command that is
 * only offered as it is.
 */
export function beginningsOf(words: readonly string[]): string[][] {
  const [program = '', second = '', third = ''] = words
  if (ALONE.has(program) || !isName(program)) return []
  if (WITH_SUBCOMMAND.has(program)) {
    if (!PLAIN.test(second)) return []
    if (!RUN_THE_NEXT.has(second)) return [[program, second]]
    return PLAIN.test(third) ? [[program, second, third]] : []
  }
  return INTERPRETERS.has(program) && PLAIN.test(second) ? [[program, second], [program]] : [[program]]
}

/** A program that is found by its name: a path could be a file that the agent has just written. */
const isName = (program: string): boolean => PLAIN.test(program) && !program.includes('/')

/** Whether a program can do anything at all, which a person must know. */
export const runsAnyCode = (program: string): boolean => RUNS_CODE.has(program)
