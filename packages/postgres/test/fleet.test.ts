import { FILE_ROOM } from '@sandagent/core/internal'
import { hasPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPostgresFleet } from '../src/index.ts'
import { ask, facts, useServer } from './support.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

describe.runIf(hasPostgres)('a fleet in Postgres', () => {
  const database = useServer()

  it('lists the questions of a namespace by time, then by id, in pages', async () => {
    const store = database.fleet().questions('n1')
    for (const id of ['b', 'a', 'c']) await ask(store, id, { askedAt: at(5) })
    await ask(store, 'z', { askedAt: at(1) })
    await ask(store, 'y', { askedAt: at(9), isSettled: true })
    await ask(database.fleet().questions('n2'), 'other')
    await store.writeAnswer('no-record', 'answer', { expected: null })
    const idsOf = async (...options: Parameters<typeof store.list>): Promise<string[]> =>
      (await store.list(...options)).map(({ toolCallId }) => toolCallId)
    expect(await idsOf()).toEqual(['z', 'a', 'b', 'c', 'y'])
    expect(await idsOf({ unsettled: true })).toEqual(['z', 'a', 'b', 'c'])
    expect(await idsOf({ limit: 2 })).toEqual(['z', 'a'])
    expect(await idsOf({ limit: 2, after: { askedAt: at(5), toolCallId: 'a' } })).toEqual(['b', 'c'])
    expect(await idsOf({ after: { askedAt: at(5), toolCallId: 'c' }, unsettled: true })).toEqual([])
    expect(await idsOf({ limit: 0 })).toEqual([])
  })

  it('lists the unsettled questions of all namespaces, in pages', async () => {
    const fleet = database.fleet()
    for (const [namespace, id, second] of [
      ['n2', 'a', 1],
      ['n1', 'b', 2],
      ['n2', 'a2', 2],
      ['n1', 'c', 3],
    ] as const)
      await ask(fleet.questions(namespace), id, { askedAt: at(second) })
    await ask(fleet.questions('n1'), 'settled', { isSettled: true })
    const all = await fleet.unsettled()
    expect(all.map(({ namespace, toolCallId }) => `${namespace} ${toolCallId}`)).toEqual([
      'n2 a',
      'n1 b',
      'n2 a2',
      'n1 c',
    ])
    const after = { askedAt: at(2), namespace: 'n1', toolCallId: 'b' }
    expect(await fleet.unsettled({ limit: 1, after })).toEqual(all.slice(2, 3))
    expect(await fleet.unsettled({ limit: 1, after: all[1] })).toEqual(all.slice(2, 3))
  })

  it('lists more questions than come with one statement', async () => {
    const fleet = database.fleet()
    await fleet.unsettled()
    const client = await database.connect()
    await client.query(`
      INSERT INTO questions (namespace, key, tool_call_id, record, run_id, asked_at_ms, is_settled)
        SELECT 'n' || n % 7, 't' || n, 't' || n, 'record', 'run-1', n / 10, false FROM generate_series(1, 5000) n`)
    expect(await fleet.unsettled()).toHaveLength(5000)
    expect(await fleet.unsettled({ limit: 2500 })).toHaveLength(2500)
    expect(await fleet.questions('n1').list()).toHaveLength(715)
  })

  it('sweeps settled questions that are old, with their answers', async () => {
    const fleet = database.fleet()
    const store = fleet.questions('n1')
    for (const id of ['old', 'new', 'open']) {
      await ask(store, id, { isSettled: id !== 'open' })
      await store.writeAnswer(id, 'answer', { expected: null })
    }
    const client = await database.connect()
    await client.query('ALTER TABLE questions DISABLE TRIGGER stamp')
    await client.query("UPDATE questions SET written_at = now() - interval '2 days' WHERE key <> 'new'")
    await client.query('ALTER TABLE questions ENABLE TRIGGER stamp')
    expect(await fleet.sweep({ olderThanMs: 86_400_000 })).toBe(1)
    const found = await store.read(['old', 'new', 'open'])
    expect(found.map(({ record, answer }) => [record !== null, answer !== null])).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ])
    expect(await fleet.sweep({ olderThanMs: 86_400_000 })).toBe(0)
    await ask(store, 'old')
  })

  it('takes no more files of a namespace than it has room for, whatever others have', async () => {
    const fleet = database.fleet()
    const give = (namespace: string, byte: string) =>
      fleet.questions(namespace).writeFile?.(
        't1',
        (async function* () {
          yield Buffer.from(byte)
        })(),
        () => byte.repeat(64),
        FILE_ROOM,
      )
    await fleet.unsettled()
    const client = await database.connect()
    await client.query(`INSERT INTO attachments (namespace, key, name, start, bytes)
      SELECT 'full', 't' || n % 10, 'file ' || n, 0, 'x' FROM generate_series(1, 999) n`)
    await give('full', 'a')
    await expect(give('full', 'b')).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(await fleet.questions('full').readFile?.('t1', 'b'.repeat(64), 0)).toBeNull()
    // One that the server can make small.
    await client.query('ALTER TABLE attachments ALTER COLUMN bytes SET STORAGE EXTENDED')
    await client.query(`INSERT INTO attachments (namespace, key, name, start, bytes)
      SELECT 'large', 't', 'one', n, convert_to(repeat('x', 10485760), 'UTF8') FROM generate_series(1, 103) n`)
    await expect(give('large', 'a')).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await give('other', 'a')
  })

  it('keeps runs, and ends a run only if it was not started again', async () => {
    const { runs } = database.fleet()
    const run = {
      runId: 'run/1 \0',
      namespace: 'n1',
      publicKeyIds: ['k1', 'a "b", {c}'],
      metadata: { chat: 'c1', odd: '\0' },
      startedAt: at(1),
    }
    expect(await runs.find(run.runId)).toBeNull()
    await runs.put(run)
    expect(await runs.find(run.runId)).toEqual(run)
    await runs.end({ ...run, endedAt: at(2) })
    expect(await runs.find(run.runId)).toEqual({ ...run, endedAt: at(2) })
    const { publicKeyIds: _, ...again } = { ...run, startedAt: at(3) }
    await runs.put(again)
    await runs.end({ ...run, endedAt: at(4) })
    expect(await runs.find(run.runId)).toEqual(again)
  })

  it('works with a pool of the caller, and leaves that open', async () => {
    const pool = new pg.Pool({ connectionString: database.server.url(), max: 2 })
    onTestFinished(() => pool.end())
    const fleet = database.fleet({ pool })
    await ask(fleet.questions('n1'), 't1')
    await fleet.close()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('refuses options that cannot be meant', () => {
    const url = 'postgres://127.0.0.1/x'
    for (const options of [{}, { schema: 'a"b', connectionString: url }, { conectionString: url } as object])
      expect(() => createPostgresFleet(options)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })

  it('is UNREACHABLE within seconds while the server does not reply, and works afterwards', async () => {
    const store = database.fleet().questions('n1')
    await ask(store, 't1')
    const thaw = database.server.freeze()
    try {
      const started = Date.now()
      await expect(store.read(['t1'])).rejects.toMatchObject({
        code: 'UNREACHABLE',
        facts: { reason: 'TIMEOUT' },
      })
      expect(Date.now() - started).toBeLessThan(30_000)
    } finally {
      thaw()
    }
    await vi.waitFor(async () => expect(await store.read(['t1'])).toHaveLength(1))
  })

  it('is UNREACHABLE while the server is gone, and the message has no host and no user', async () => {
    const store = database.fleet().questions('n1')
    await ask(store, 't1')
    await database.server.kill()
    try {
      await vi.waitFor(async () =>
        expect(await store.read(['t1']).catch((error: unknown) => error)).toMatchObject({
          code: 'UNREACHABLE',
          message: 'The database cannot be reached now (ECONNREFUSED)',
        }),
      )
      await expect(store.writeAnswer('t1', 'x', { expected: null })).rejects.toMatchObject({
        code: 'UNREACHABLE',
      })
      await expect(store.writeRecord('t1', 'x', { expected: null, facts: facts() })).rejects.toMatchObject({
        code: 'UNREACHABLE',
      })
    } finally {
      await database.server.start()
    }
    await vi.waitFor(async () => expect(await store.read(['t1'])).toHaveLength(1))
  })
})
