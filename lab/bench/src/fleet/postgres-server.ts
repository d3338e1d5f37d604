import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { CarrierServer } from './carrier.ts'
import { freePort } from './free-port.ts'

/** Debian does not put the programs of the server into PATH. */
const DEBIAN = '/usr/lib/postgresql'

const debianFolders = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((name) => join(DEBIAN, name, 'bin')) : []
const programs = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders.sort().reverse()].find(
  (folder) => existsSync(join(folder, 'initdb')),
)

/** The server refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(what: string): number {
  return Number(spawnSync('id', [what, 'postgres']).stdout) || 0
}

/** A server as it is after its installation, with durable commits; `null` if none is installed. */
export async function startPostgres(): Promise<CarrierServer | null> {
  if (programs === undefined || user.uid === 0) return null
  // Its user may not enter a folder of this one.
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-bench-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const place = { ...user, cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH } }
  const make = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--username=postgres', '-D', data]
  execFileSync(join(programs, 'initdb'), make, { ...place, stdio: 'ignore' })
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=400',
  ]
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(join(programs, 'postgres'), args, { ...place, stdio: 'ignore' })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url)
  return {
    url,
    pid: server.pid as number,
    async stop() {
      server.kill('SIGINT')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(connectionString: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch {
      await sleep(50)
    }
  }
}
