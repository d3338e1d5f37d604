// A server of SSH on the loopback, with keys of its own, for tests and measurements: node scripts/ssh-server.mjs FOLDER [USER]
// It prints one line of JSON, which says how to log in. It ends at the end of its input.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCommand } from './find-command.mjs'

/** How often a login is tried before the server counts as broken. */
const MOST_LOGINS = 100

const [, , folder = '', other = ''] = process.argv
const sshd = findCommand('sshd') ?? 'sshd'
const me = userInfo()
/** Somebody who is neither root nor the user of this process. Only the server's own view of the users has them. */
const user =
  other === '' ? { name: me.username, uid: me.uid, gid: me.gid } : { name: other, uid: 54_321, gid: 54_321 }

chmodSync(folder, 0o755) // The server wants to read keys as the user who logs in.
const home = join(folder, 'home')
mkdirSync(home, { mode: 0o700 })
chownSync(home, user.uid, user.gid)
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
    'MaxStartups 100',
    ...(other === '' ? [`SetEnv HOME=${home}`] : []),
  ].join('\n'),
)
if (me.uid === 0) mkdirSync('/run/sshd', { recursive: true })
const options = ['-D', '-e', '-f', join(folder, 'config')]
const server =
  other === ''
    ? spawn(sshd, options, { stdio: 'ignore' })
    : spawn('unshare', ['--mount', ...withOther([sshd, ...options])], { stdio: 'ignore' })

const command = [
  'ssh',
  '-T',
  ...['-p', String(port), '-i', join(folder, 'login')],
  ...['BatchMode=yes', 'StrictHostKeyChecking=no', 'LogLevel=ERROR'].flatMap((option) => ['-o', option]),
  ...['-o', `UserKnownHostsFile=${join(folder, 'known')}`],
  `${user.name}@127.0.0.1`,
]
for (let logins = 1; ; logins++) {
  const { status, stderr } = spawnSync('ssh', [...command.slice(1), 'true'])
  if (status === 0) break
  if (logins === MOST_LOGINS || server.exitCode !== null) {
    console.error(`There is no login: ${stderr}`)
    server.kill()
    process.exit(1)
  }
  await sleep(100)
}
for (const name of ['login', 'known']) chownSync(join(folder, name), user.uid, user.gid)
console.log(JSON.stringify({ command, home, uid: user.uid, pid: server.pid }))
await once(process.stdin.resume(), 'end')
server.kill()

/**
 * The server sees files of its own in the places of the system's list of users.
 *
 * @param {string[]} argv
 */
function withOther(argv) {
  const passwd = join(folder, 'passwd')
  const shadow = join(folder, 'shadow')
  const { name, uid, gid } = user
  writeFileSync(passwd, `${readFileSync('/etc/passwd', 'utf8')}${name}:x:${uid}:${gid}::${home}:/bin/sh\n`)
  writeFileSync(shadow, `${readFileSync('/etc/shadow', 'utf8')}${name}:*:19000:0:99999:7:::\n`, {
    mode: 0o600,
  })
  const script = 'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/shadow && shift 2 && exec "$@"'
  return ['sh', '-c', script, 'sh', passwd, shadow, ...argv]
}

/** @returns {Promise<number>} */
async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  return typeof address === 'object' && address ? address.port : 0
}
