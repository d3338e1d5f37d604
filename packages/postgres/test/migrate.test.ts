import { readdirSync, readFileSync } from 'node:fs'
import { FILE_ROOM } from '@sandagent/core/internal'
import { hasPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import { createFakeClock } from '@sandagent/testing'
import pg, { type Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask, facts, makeTables, useServer } from './support.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
const files = readdirSync(FOLDER).sort()

describe.runIf(hasPostgres)('the tables', () => {
  const database = useServer()

  /** Applies the files as `psql` does. */
  const applyFiles = async (client?: Client): Promise<Client> => {
    const connection = client ?? (await database.connect())
    await connection.query(`CREATE SCHEMA "${database.schema()}"`)
    for (const file of files) await connection.query(readFileSync(new URL(file, FOLDER), 'utf8'))
    return connection
  }

  it('are made once by many hosts that start at once', async () => {
    const hosts = Array.from({ length: 12 }, () => database.fleet())
    await Promise.all(hosts.map(makeTables))
    await Promise.all(hosts.map((fleet, n) => ask(fleet.questions('n1'), `t${n}`)))
    const client = await database.connect()
    const { rows } = await client.query('SELECT version FROM migrations ORDER BY version')
    expect(rows).toEqual(files.map((_, index) => ({ version: index + 1 })))
  })

  it('are waited for by each call for some seconds, and the next one tries again', async () => {
    const client = await database.connect()
    await client.query('SELECT pg_advisory_lock(7239101164450131)')
    const fleet = database.fleet()
    await expect(fleet.unsettled()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      // The server and the client both measure the time.
      facts: { reason: expect.stringMatching(/^(55P03|TIMEOUT)$/) },
    })
    await client.query('SELECT pg_advisory_unlock_all()')
    await vi.waitFor(async () => expect(await fleet.unsettled()).toEqual([]))
  })

  it('are used when somebody else has made them meanwhile, and still holds the lock', async () => {
    const client = await database.connect()
    await client.query('SELECT pg_advisory_lock(7239101164450131)')
    await client.query('BEGIN')
    await applyFiles(client)
    const fleet = database.fleet()
    const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    // A busy machine may see the lock only when the host has given up. Then the next call waits.
    let found: Promise<unknown> = Promise.resolve()
    await vi.waitFor(
      async () => {
        if ((await client.query(waiting)).rows.length > 0) return
        found = fleet.unsettled()
        found.catch(() => {}) // The last one is awaited below.
        throw new Error('Nobody waits for the lock yet')
      },
      { interval: 500 },
    )
    await client.query('COMMIT')
    expect(await found).toEqual([])
  })

  it('do not keep a call waiting that gets no connection', async () => {
    const clock = createFakeClock()
    const pool = new pg.Pool({ connectionString: database.server.url(), max: 1 })
    onTestFinished(() => pool.end())
    const taken = await pool.connect()
    const fleet = database.fleet({ pool, clock })
    const refused = expect(fleet.unsettled()).rejects.toMatchObject({ facts: { reason: 'TIMEOUT' } })
    clock.advance(10_000)
    await refused
    taken.release()
    expect(await fleet.unsettled()).toEqual([])
  })

  it('can be made from the files, by somebody else', async () => {
    const fleet = database.fleet({ migrate: false })
    await expect(fleet.unsettled()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('Apply the files in its folder "migrations"'),
    })
    await applyFiles()
    await ask(fleet.questions('n1'), 't1')
  })

  it('are refused when they are newer than this package', async () => {
    const client = await applyFiles()
    await client.query('INSERT INTO migrations (version) VALUES (1000)')
    await expect(database.fleet().unsettled()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/have version 1000, and .* knows \d+\. Use a newer one/),
    })
  })

  describe('with a role for runners and a role for hosts', () => {
    it('have one writer each', async () => {
      const client = await applyFiles()
      const schema = database.schema()
      await client.query(`CREATE ROLE runner_of_${schema} LOGIN; CREATE ROLE host_of_${schema} LOGIN`)
      const [grants, more] = GRANTS.map((block) =>
        block
          .replaceAll('sandagent_runner', `runner_of_${schema}`)
          .replaceAll('sandagent_host', `host_of_${schema}`)
          .replaceAll('sandagent', schema),
      ) as [string, string]
      await client.query(grants)
      const as = (user: string) =>
        database.fleet({ connectionString: database.server.url(`${user}_of_${schema}`) })
      const [runner, host] = [as('runner'), as('host')]
      const asked = await ask(runner.questions('n1'), 't1')
      const answered = await host.questions('n1').writeAnswer('t1', 'answer', { expected: null })
      expect(answered?.record).toEqual(asked.record)
      const settled = { expected: asked.record?.version ?? null, facts: facts({ isSettled: true }) }
      expect((await runner.questions('n1').writeRecord('t1', 'settled', settled))?.answer).toEqual(
        answered?.answer,
      )
      await host.questions('n1').writeFile?.('t1', oneFile(), () => NAME, FILE_ROOM)
      expect(await runner.questions('n1').readFile?.('t1', NAME, 0)).toMatchObject({ size: 4 })
      expect(await host.unsettled()).toEqual([])
      await host.runs.put({ runId: 'r1', namespace: 'n1', metadata: {}, startedAt: 'now' })
      expect(await host.sweep({ olderThanMs: -1000 })).toBe(1)

      const refused = expect.objectContaining({ code: 'UNREACHABLE', facts: { reason: '42501' } })
      for (const attempt of [
        () => runner.questions('n1').writeAnswer('t1', 'forged', { expected: null }),
        () => runner.questions('n1').writeFile?.('t1', oneFile(), () => NAME, FILE_ROOM),
        () => runner.runs.put({ runId: 'r2', namespace: 'n1', metadata: {}, startedAt: 'now' }),
        () => runner.sweep({ olderThanMs: -1000 }),
        () => ask(host.questions('n1'), 't2'),
      ])
        await expect(attempt()).rejects.toEqual(refused)
      for (const [user, statement] of [
        ['runner', `DELETE FROM ${schema}.questions`],
        ['runner', `UPDATE ${schema}.answers SET answer = ''`],
        ['runner', `DELETE FROM ${schema}.attachments`],
        ['runner', `DROP TABLE ${schema}.questions`],
        ['host', `UPDATE ${schema}.questions SET record = ''`],
        ['host', `TRUNCATE ${schema}.questions`],
        ['host', `CREATE TABLE ${schema}.other ()`],
        ['host', `ALTER TABLE ${schema}.questions DISABLE TRIGGER stamp`],
      ] as const) {
        const connection = await database.connect(`${user}_of_${schema}`)
        await expect(connection.query(statement)).rejects.toMatchObject({ code: '42501' })
      }
      await client.query(more)
      await ask(host.questions('n1'), 't2')
    })

    it('let each do with files what it may do with answers, also after an update', async () => {
      const client = await database.connect()
      const schema = database.schema()
      const [first = '', ...others] = files.map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
      await client.query(`CREATE SCHEMA "${schema}"; ${first}; CREATE ROLE "older ${schema}" LOGIN`)
      await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON answers TO "older ${schema}"`)
      await client.query('GRANT SELECT ON answers TO PUBLIC')
      for (const text of others) await client.query(text)
      const { rows } = await client.query(
        `SELECT relname, array_agg(acl.privilege_type || ' ' || acl.grantee::bigint ORDER BY 1) AS rights
         FROM pg_class, aclexplode(relacl) acl WHERE relnamespace = $1::regnamespace AND acl.grantee <> relowner
         GROUP BY relname ORDER BY relname`,
        [schema],
      )
      const rights = (table: string) => rows.find(({ relname }) => relname === table)?.rights
      expect(rights('attachments')).toHaveLength(5)
      expect(rights('attachments').sort()).toEqual(rights('answers').sort())
    })
  })
})

const NAME = 'f'.repeat(64)
async function* oneFile(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('file')
}

/** As the reference has them. */
const GRANTS = readFileSync(new URL('../../../docs/reference/postgres.md', import.meta.url), 'utf8')
  .split('```sql\n')
  .slice(1)
  .map((block) => block.split('```')[0] as string)
