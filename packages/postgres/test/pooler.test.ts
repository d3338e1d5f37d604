import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { hasPostgres, unprivileged } from '@sandagent/fixtures/servers/postgres-server.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask, facts, follow, makeTables, useServer } from './support.ts'

const pgbouncer = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path))

describe.runIf(hasPostgres && pgbouncer)('a fleet behind a pooler in transaction mode', () => {
  const database = useServer()

  /** A pooler that gives two connections of the server to all its clients, by transaction. */
  async function pooler(): Promise<string> {
    const port = await freePort()
    const file = join(database.server.folder, `pooler-${port}.ini`)
    writeFileSync(
      file,
      `[databases]
      postgres = host=127.0.0.1 port=${database.server.port} user=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = any
      pool_mode = transaction
      default_pool_size = 2
      max_client_conn = 500
      ignore_startup_parameters = extra_float_digits`,
    )
    const process = spawn(pgbouncer as string, [file], {
      ...unprivileged,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(process, 'exit')
    onTestFinished(async () => {
      process.kill('SIGKILL')
      await ended
    })
    for await (const line of createInterface({ input: process.stderr }))
      if (line.includes('process up')) break
    process.stderr.resume()
    return `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  it('makes its tables, writes, reads, and finds what changes', async () => {
    const connectionString = await pooler()
    const fleets = Array.from({ length: 5 }, () =>
      database.fleet({ connectionString, listen: false, pollMs: 20 }),
    )
    const stores = fleets.map((fleet) => fleet.questions('n1'))
    const [store] = stores as [(typeof stores)[0]]
    const followed = stores.map((each) => follow(each))
    for (const { lists } of followed) await vi.waitFor(() => expect(lists).toEqual([[]]))
    const ids = Array.from({ length: 60 }, (_, n) => `t${n}`)
    await Promise.all(ids.map((id, n) => ask(stores[n % 5] as typeof store, id)))
    const answered: unknown[] = []
    // Each write has five seconds, and the pooler lets two run at a time.
    for (let n = 0; n < ids.length; n += 10) {
      const some = ids.slice(n, n + 10)
      const writing = some.flatMap((id) =>
        stores.map((each) => each.writeAnswer(id, 'answer', { expected: null })),
      )
      answered.push(...(await Promise.all(writing)))
    }
    expect(answered.filter((each) => each !== null)).toHaveLength(60)
    for (const { lists } of followed)
      await vi.waitFor(() =>
        expect(new Set(lists.flat().flatMap(({ toolCallId, answer }) => (answer ? toolCallId : [])))).toEqual(
          new Set(ids),
        ),
      )
    expect(await store.list()).toHaveLength(60)
  })

  it('works without `listen: false` too, where statements cannot be prepared', async () => {
    const connectionString = await pooler()
    const fleets = [1, 2, 3].map(() => database.fleet({ connectionString }))
    await Promise.all(fleets.map(makeTables))
    const stores = fleets.map((fleet) => fleet.questions('n1'))
    const ids = Array.from({ length: 40 }, (_, n) => `t${n}`)
    await Promise.all(ids.map((id, n) => ask(stores[n % 3] as (typeof stores)[0], id)))
    for (const store of stores) expect(await store.list()).toHaveLength(40)
  })

  it('notifies processes that listen without the pooler', async () => {
    const direct = follow(database.fleet({ pollMs: 3_600_000 }).questions('n1'))
    await vi.waitFor(() => expect(direct.lists).toEqual([[]]))
    const store = database.fleet({ connectionString: await pooler(), listen: false }).questions('n1')
    await store.writeRecord('t1', 'record', { expected: null, facts: facts() })
    await vi.waitFor(() => expect(direct.lists.flat()).toHaveLength(1))
  })
})
