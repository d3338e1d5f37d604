import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { onTestFinished, vi } from 'vitest'
import { findCommand } from '../../../scripts/find-command.mjs'
import { canMount } from '../small-disk.ts'

const sshd = findCommand('sshd')

/** Whether this machine has what the tests over SSH need. */
export const hasSshServer = sshd !== undefined && findCommand('ssh') !== undefined

/** Somebody who is neither root nor the user of these tests. Only the server's own view of the users has them. */
const OTHER = { name: 'agent', id: 54_321 }

export interface SshServer {
  /** The command that logs in. */
  command: readonly [string, ...string[]]
  /** The home of the user who logs in, and their number. */
  home: string
  uid: number
  /** Ends all connections, as a server does that restarts. */
  cut(): void
}

/** A server of SSH on the loopback with keys of its own, for as long as the test runs. Root gets another user there. */
export async function sshServer(): Promise<SshServer> {
  const folder = await tempDir()
  chmodSync(folder, 0o755) // The server wants to read keys as the user who logs in.
  const me = userInfo()
  const isOther = canMount && me.uid === 0
  const user = isOther ? OTHER : { name: me.username, id: me.uid }
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  chownSync(home, user.id, isOther ? user.id : me.gid)
  for (const key of ['host', 'login'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)])
  const port = await freePort()
  writeFileSync(
    join(folder, 'config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(folder, 'host')}`,
      `AuthorizedKeysFile ${join(folder, 'login.pub')}`,
      `PidFile ${join(folder, 'pid')}`,
      'UsePAM no',
      'PasswordAuthentication no',
      'StrictModes no',
      ...(isOther ? [] : [`SetEnv HOME=${home}`]),
    ].join('\n'),
  )
  const options = ['-D', '-e', '-f', join(folder, 'config')]
  const server = isOther
    ? spawnForOther(folder, home, options)
    : spawn(sshd as string, options, { stdio: 'ignore' })
  onTestFinished(() => void server.kill())
  const command = [
    'ssh',
    '-T',
    ...['-p', String(port), '-i', join(folder, 'login')],
    ...['BatchMode=yes', 'StrictHostKeyChecking=no', 'LogLevel=ERROR'].flatMap((option) => ['-o', option]),
    ...['-o', `UserKnownHostsFile=${join(folder, 'known')}`],
    `${user.name}@127.0.0.1`,
  ] as const
  await vi.waitFor(
    () => {
      const { status, stderr } = spawnSync(command[0], [...command.slice(1), 'true'])
      if (status !== 0) throw new Error(`There is no login: ${stderr}`)
    },
    { interval: 100 },
  )
  const cut = (): void => {
    // Each connection is a child of the server.
    const children = spawnSync('pgrep', ['-P', String(server.pid)])
      .stdout.toString()
      .trim()
      .split('\n')
      .map(Number)
    for (const pid of children) if (pid > 1) process.kill(pid, 'SIGKILL')
  }
  return { command, home, uid: user.id, cut }
}

/** The server sees files of its own in the places of the system's list of users. */
function spawnForOther(folder: string, home: string, options: string[]) {
  const [passwd, shadow] = ['passwd', 'shadow'].map((name) => join(folder, name)) as [string, string]
  const { name, id } = OTHER
  writeFileSync(passwd, `${readFileSync('/etc/passwd', 'utf8')}${name}:x:${id}:${id}::${home}:/bin/sh\n`)
  writeFileSync(shadow, `${readFileSync('/etc/shadow', 'utf8')}${name}:*:19000:0:99999:7:::\n`, {
    mode: 0o600,
  })
  mkdirSync('/run/sshd', { recursive: true })
  const script = 'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/shadow && shift 2 && exec "$@"'
  const args = ['--mount', 'sh', '-c', script, 'sh', passwd, shadow, sshd as string, ...options]
  return spawn('unshare', args, { stdio: 'ignore' })
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
