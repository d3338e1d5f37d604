import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  hasPostgres,
  type PostgresServer,
  runPostgresProgram,
  startPostgres,
} from '@sandagent/fixtures/servers/postgres-server.ts'
import { createPostgresFleet } from '@sandagent/postgres'
import pg from 'pg'
import { describe, it, onTestFinished, vi } from 'vitest'
import { FleetProcesses } from './fleet-processes.ts'
import { checkStored, followVersions, summary } from './stored-outcomes.ts'

const FAILOVERS = 5

/** An address that leads to the primary of the moment, as a fleet has one. */
async function address(): Promise<{ url: string; leadTo: (server: PostgresServer | null) => void }> {
  let target: PostgresServer | null = null
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    if (!target) return void client.destroy()
    const server = connect(target.port, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as { port: number }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    leadTo(server) {
      target = server
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function query(server: PostgresServer, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.url())
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** A replica without which the primary acknowledges nothing. */
async function addReplica(primary: PostgresServer): Promise<PostgresServer> {
  const replica = await startPostgres({
    makeData: (data) =>
      runPostgresProgram('pg_basebackup', [
        ...['--pgdata', data, '--dbname', primary.url(), '--write-recovery-conf', '--checkpoint=fast'],
        ...['--no-sync'],
      ]),
  })
  onTestFinished(() => replica.remove())
  await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query(primary, 'SELECT pg_reload_conf()')
  await vi.waitFor(async () => {
    const rows = await query(primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
    if (rows.length === 0) throw new Error('The replica does not stream yet')
  })
  return replica
}

describe.runIf(hasPostgres)('a fleet whose Postgres fails over to a synchronous replica', () => {
  it('loses and doubles no answer, and tells everybody the same', { timeout: 300_000 }, async () => {
    let primary = await startPostgres()
    const first = primary
    onTestFinished(() => first.remove())
    let replica = await addReplica(primary)
    const { url, leadTo } = await address()
    leadTo(primary)
    const fleet = createPostgresFleet({ connectionString: url })
    onTestFinished(() => fleet.close())
    const seen = followVersions(fleet)

    const processes = new FleetProcesses(url)
    for (const name of ['runner-1', 'runner-2']) processes.startRunner(name)
    for (let n = 0; n < 3; n++) processes.startHost()
    for (let n = 0; n < FAILOVERS; n++) {
      await pause(3000)
      await primary.kill()
      await query(replica, 'SELECT pg_promote()')
      primary = replica
      leadTo(primary)
      replica = await addReplica(primary)
    }
    await pause(2000)
    await processes.finish()

    processes.check()
    await checkStored(fleet, processes, seen)
    console.log(`${FAILOVERS} failovers, ${summary(processes, 5)}`)
  })
})
