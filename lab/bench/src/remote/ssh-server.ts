import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../../../scripts/ssh-server.mjs', import.meta.url))

export interface SshServer {
  /** The command that logs in as the user of this process. */
  command: readonly [string, ...string[]]
  end(): void
}

/** A server of SSH on the loopback, in an empty folder; `null` where that does not work. */
export async function startSshServer(folder: string): Promise<SshServer | null> {
  const program = spawn(process.execPath, [PROGRAM, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(program, 'exit').then(() => null)
  const hello = await Promise.race([once(createInterface({ input: program.stdout }), 'line'), ended])
  if (hello === null) return null
  const { command } = JSON.parse(hello[0])
  return { command, end: () => void program.stdin.end() }
}

/** A command that starts a program over SSH, where a shell takes its words. */
export const throughSsh =
  ({ command }: SshServer) =>
  (argv: readonly string[]): [string, ...string[]] => {
    const [program, ...args] = command
    return [program, ...args, ...argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)]
  }
