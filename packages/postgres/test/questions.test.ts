import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import { hasPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import pg, { type Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask, facts, follow, useServer } from './support.ts'

const ODD_IDS = [
  'a b/c',
  '../x',
  '\0nul',
  '\ud800',
  '"quoted" \\ {a,b}',
  'é',
  'x'.repeat(20_000),
  '~',
  'NULL',
  '',
]

describe.runIf(hasPostgres)('questions in Postgres', () => {
  const database = useServer()
  const store = (namespace = 'n1'): QuestionStore => database.fleet().questions(namespace)

  it('are read in the order of their ids, also those of which nothing is stored', async () => {
    await ask(store(), 't1')
    await store().writeAnswer('t2', 'answer', { expected: null })
    const found = await store().read(['t3', 't2', 't1', 't2'])
    expect(found.map(({ toolCallId }) => toolCallId)).toEqual(['t3', 't2', 't1', 't2'])
    expect(found.map(({ record }) => record?.text)).toEqual([undefined, undefined, 'record', undefined])
    expect(found.map(({ answer }) => answer?.text)).toEqual([undefined, 'answer', undefined, 'answer'])
    expect(await store('n2').read(['t1'])).toEqual([{ toolCallId: 't1', record: null, answer: null }])
    expect(await store().read([])).toEqual([])
  })

  it('are read one by one with a plan that the server keeps', async () => {
    const pool = new pg.Pool({ connectionString: database.server.url(), max: 1 })
    onTestFinished(() => pool.end())
    const questions = database.fleet({ pool }).questions('n1')
    for (let n = 0; n < 10; n++) await questions.read([`t${n}`])
    const plans = 'SELECT generic_plans::int AS kept FROM pg_prepared_statements'
    expect((await pool.query(plans)).rows).toEqual([{ kept: 5 }])
  })

  it('share statements with those of the same moment, and each has its own result', async () => {
    const pool = new pg.Pool({ connectionString: database.server.url() })
    onTestFinished(() => pool.end())
    const texts: string[] = []
    const query = pool.query.bind(pool) as (statement: { text: string }) => Promise<never>
    const counted = (statement: { text: string }): Promise<never> => {
      texts.push(statement.text)
      return query(statement)
    }
    const fleet = database.fleet({ pool: Object.assign(pool, { query: counted }) })
    await ask(fleet.questions('n1'), 't7')
    texts.length = 0
    const ids = Array.from({ length: 16 }, (_, n) => `t${15 - n}`)
    const namespaces = ['n1', 'n2'].map((name) => fleet.questions(name))
    const options = { expected: null, facts: facts() }
    const written = await Promise.all(
      ids.map((id, n) => namespaces[n % 2]?.writeRecord(id, `record of ${id}`, options)),
    )
    const isTaken = (n: number): boolean => ids[n] === 't7' && n % 2 === 0
    expect(written.map((stored) => stored?.record?.text)).toEqual(
      ids.map((id, n) => (isTaken(n) ? undefined : `record of ${id}`)),
    )
    const found = await Promise.all(ids.map((id, n) => namespaces[n % 2]?.read([id])))
    expect(found.map((list) => list?.[0]?.record?.text)).toEqual(
      ids.map((id, n) => (isTaken(n) ? 'record' : `record of ${id}`)),
    )
    // One writes, one reads, and one may notify.
    expect(texts.length).toBeLessThanOrEqual(3)
  })

  it('begin an answer with what was seen, and nothing is written behind an older record', async () => {
    const host = store()
    const runner = store()
    const asked = await ask(runner, 't1')
    expect(await host.latest?.('t1')).toEqual(asked)
    const version = asked.record?.version ?? ''
    const again = await runner.writeRecord('t1', 'another', { expected: version, facts: facts() })
    expect(await host.latest?.('t1')).toEqual(asked)
    const behind = (of: StoredQuestion | null | undefined) => ({
      expected: null,
      asked: { record: {} as never, version: of?.record?.version ?? '' },
    })
    expect(await host.writeAnswer('t1', 'answer', behind(asked))).toBeNull()
    expect((await host.read(['t1']))[0]).toEqual(again)
    const answered = await host.writeAnswer('t1', 'answer', behind(await host.latest?.('t1')))
    expect(answered).toMatchObject({ record: { text: 'another' }, answer: { text: 'answer' } })
    expect(await host.latest?.('t1')).toEqual(answered)
    // What a subscription brings is seen, too.
    const other = store()
    const { lists } = follow(other)
    await vi.waitFor(() => expect(lists).toHaveLength(1))
    expect(await other.latest?.('t1')).toEqual(answered)
  })

  it('are replaced only where the expected version is there', async () => {
    const first = await ask(store(), 't1')
    const options = { expected: null, facts: facts() }
    expect(await store().writeRecord('t1', 'another', options)).toBeNull()
    const expected = first.record?.version ?? ''
    const second = await store().writeRecord('t1', 'second', { ...options, expected })
    expect(second?.record?.text).toBe('second')
    expect(second?.record?.version).not.toBe(expected)
    expect(await store().writeRecord('t1', 'third', { ...options, expected })).toBeNull()
    expect(await store().writeRecord('t9', 'third', { ...options, expected })).toBeNull()
    expect(await store().read(['t1'])).toEqual([second])
  })

  it('get one answer of many that are written at once', async () => {
    await ask(store(), 't1')
    const fleets = Array.from({ length: 4 }, () => database.fleet().questions('n1'))
    let expected: string | null = null
    for (let round = 0; round < 5; round++) {
      const written: (StoredQuestion | null)[] = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (fleets[n % 4] as QuestionStore).writeAnswer('t1', `answer ${n}`, { expected }),
        ),
      )
      const [winner, ...others] = written.filter((each) => each !== null)
      expect(others).toEqual([])
      expect(await store().read(['t1'])).toEqual([winner])
      expected = winner?.answer?.version ?? null
    }
  })

  it.each(ODD_IDS.map((id) => [id.slice(0, 20), id]))('have any id, such as %j', async (_, id) => {
    const asked = await ask(store(), id)
    const answered = await store().writeAnswer(id, 'answer', { expected: null })
    expect(answered).toEqual({ ...asked, answer: answered?.answer })
    expect(await store().read([id])).toEqual([answered])
    expect(await store().list()).toEqual([{ ...answered, askedAt: facts().askedAt }])
  })

  it('have texts of any length', async () => {
    const text = JSON.stringify('ü"\\\n\0'.repeat(200_000))
    await store().writeRecord('t1', text, { expected: null, facts: facts() })
    expect((await store().read(['t1']))[0]?.record?.text).toBe(text)
  })

  it('are in a namespace of letters, digits, - and _', () => {
    for (const namespace of ['', 'a b', 'ä', 'a'.repeat(101)])
      expect(() => store(namespace)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })
})

describe.runIf(hasPostgres)('two writers of one question', () => {
  const database = useServer()

  /** Makes the tables, and two connections whose transactions the test ends. */
  const connections = async (): Promise<[Client, Client]> => {
    await database.fleet().questions('n1').read(['t1'])
    return [await database.connect(), await database.connect()]
  }
  const record = "SELECT * FROM write_text('q', 'c', 'n1', 't1', 't1', 'record', NULL, 'run-1', 0, false)"
  const answer = "SELECT * FROM write_text('a', 'c', 'n1', 't1', 't1', 'answer', NULL, NULL, NULL, NULL)"

  /** Runs the first statement, then the other one beside it, and commits the first when the other waits. */
  async function interleave(first: string, second: string): Promise<Record<string, unknown>[]> {
    const [one, other] = await connections()
    await one.query('BEGIN')
    const before = await one.query(first)
    const after = other.query(second)
    const watching = await database.connect()
    await vi.waitFor(async () => {
      const { rows } = await watching.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      )
      expect(rows).toHaveLength(1)
    })
    await one.query('COMMIT')
    return [before.rows[0], (await after).rows[0]]
  }

  it('never miss each other: the runner that closes waits for the answer', async () => {
    const [written, closed] = await interleave(answer, record)
    expect(written).toMatchObject({ other: null })
    expect(closed).toMatchObject({ other: 'answer' })
  })

  it('never miss each other: the host waits for the record', async () => {
    const [closed, written] = await interleave(record, answer)
    expect(closed).toMatchObject({ other: null })
    expect(written).toMatchObject({ other: 'record' })
  })

  it('never miss each other: the host waits for a record that is replaced', async () => {
    const stored = await ask(database.fleet().questions('n1'), 't1')
    const closing = `SELECT * FROM write_text('q', 'c', 'n1', 't1', 't1', 'closing', '${stored.record?.version}', 'run-1', 0, false)`
    const [, written] = await interleave(closing, answer)
    expect(written).toMatchObject({ other: 'closing' })
  })

  it('never miss each other in many races', async () => {
    const [runner, host] = [database.fleet(), database.fleet()].map((fleet) => fleet.questions('n1')) as [
      QuestionStore,
      QuestionStore,
    ]
    for (let n = 0; n < 100; n++) {
      const id = `t${n}`
      const { record } = await ask(runner, id)
      const [closed, answered] = await Promise.all([
        runner.writeRecord(id, 'closing', { expected: record?.version ?? null, facts: facts() }),
        host.writeAnswer(id, 'answer', { expected: null }),
      ])
      expect(closed?.answer?.text === 'answer' || answered?.record?.text === 'closing').toBe(true)
    }
  })

  it('are refused under another isolation level, which cannot promise that', async () => {
    const [one] = await connections()
    await one.query("SET default_transaction_isolation = 'repeatable read'")
    await expect(one.query(answer)).rejects.toThrow('READ COMMITTED')
  })
})
