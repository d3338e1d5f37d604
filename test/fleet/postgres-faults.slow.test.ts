import { setTimeout as pause } from 'node:timers/promises'
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '@sandagent/fixtures/servers/postgres-server.ts'
import { createPostgresFleet } from '@sandagent/postgres'
import pg from 'pg'
import { describe, it, onTestFinished } from 'vitest'
import { repeats } from '../support/repeats.ts'
import { FleetProcesses } from './fleet-processes.ts'
import { checkStored, followVersions, summary } from './stored-outcomes.ts'

type Fault = () => Promise<void>

/** How often each fault happens. */
const TIMES = {
  cutAll: repeats(25, 70),
  cutOne: repeats(30, 92),
  killServer: repeats(5, 12),
  freezeServer: repeats(3, 8),
  killRunner: repeats(4, 10),
  killHost: repeats(4, 10),
}

/** Cuts connections of everybody else, or one of them. */
async function cut(server: PostgresServer, limit: string): Promise<void> {
  const client = new pg.Client(server.url())
  client.on('error', () => {})
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM
       (SELECT pid FROM pg_stat_activity WHERE application_name = 'sandagent' ORDER BY random() LIMIT ${limit}) AS chosen`,
  )
  await client.end()
}

describe.runIf(hasPostgres)('a fleet on a Postgres that fails again and again', () => {
  it('loses and doubles no answer, and tells everybody the same', { timeout: 300_000 }, async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const fleet = createPostgresFleet({ connectionString: server.url() })
    onTestFinished(() => fleet.close())
    const seen = followVersions(fleet)
    const processes = new FleetProcesses(server.url())
    const runners = ['runner-1', 'runner-2']
    for (const name of runners) processes.startRunner(name)
    let hosts = [processes.startHost(), processes.startHost(), processes.startHost()]

    const faults: Record<keyof typeof TIMES, Fault> = {
      cutAll: () => cut(server, 'ALL'),
      cutOne: () => cut(server, '1'),
      async killServer() {
        await server.kill()
        await server.start()
      },
      async freezeServer() {
        const thaw = server.freeze()
        await pause(1000)
        thaw()
      },
      async killRunner() {
        const name = runners[Math.floor(Math.random() * runners.length)] as string
        await processes.kill(name)
        processes.startRunner(name)
      },
      async killHost() {
        const [first, ...others] = hosts as [string, ...string[]]
        await processes.kill(first)
        hosts = [...others, processes.startHost()]
      },
    }
    const plan = Object.entries(TIMES).flatMap(([name, times]) =>
      Array.from({ length: times }, () => ({ at: Math.random(), name: name as keyof typeof TIMES })),
    )
    for (const { name } of plan.sort((a, b) => a.at - b.at)) {
      await faults[name]()
      // So that something happens between two faults.
      await pause(Math.random() * 200)
    }
    await processes.finish()

    processes.check()
    await checkStored(fleet, processes, seen)
    console.log(`${plan.length} faults, ${summary(processes, 20)}`)
  })
})
