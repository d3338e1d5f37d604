import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { onTestFinished } from 'vitest'
import { findCommand } from '../../../scripts/find-command.mjs'
import { canMount } from '../small-disk.ts'

/** Whether this machine has what the tests over SSH need. */
export const hasSshServer = findCommand('sshd') !== undefined && findCommand('ssh') !== undefined

const PROGRAM = fileURLToPath(new URL('../../../scripts/ssh-server.mjs', import.meta.url))

export interface SshServer {
  /** The command that logs in. */
  command: readonly [string, ...string[]]
  /** The home of the user who logs in, and their number. */
  home: string
  uid: number
  /** Ends all connections, as a server does that restarts. */
  cut(): void
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A server of SSH on the loopback, for as long as the test runs. */
export async function sshServer(): Promise<SshServer> {
  const { server, stop } = await startSshServer(await tempDir())
  onTestFinished(stop)
  return server
}

/** Starts a server of SSH on the loopback with keys of its own, in an empty folder. Root gets another user there. */
export async function startSshServer(
  folder: string,
): Promise<{ server: SshServer; stop: () => Promise<void> }> {
  const other = canMount && userInfo().uid === 0 ? ['agent'] : []
  const program = spawn(process.execPath, [PROGRAM, folder, ...other], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  const lines = createInterface({ input: program.stdout })
  const [line] = (await Promise.race([
    once(lines, 'line'),
    ended.then(() => Promise.reject(new Error('The server of SSH does not start'))),
  ])) as [string]
  const { command, home, uid, pid } = JSON.parse(line)
  const cut = (): void => {
    // Each connection is a child of the server.
    const children = spawnSync('pgrep', ['-P', String(pid)])
      .stdout.toString()
      .trim()
      .split('\n')
      .map(Number)
    for (const child of children) if (child > 1) kill(child)
  }
  const stop = async (): Promise<void> => {
    program.stdin.end()
    await ended
  }
  return { server: { command, home, uid, cut }, stop }
}
