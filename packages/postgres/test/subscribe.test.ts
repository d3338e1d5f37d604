import { hasPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { ask, facts, follow, useServer } from './support.ts'

/** The ids of all questions that came. */
const ids = (lists: readonly (readonly { toolCallId: string }[])[]): string[] =>
  lists.flat().map(({ toolCallId }) => toolCallId)

const LONG = 3_600_000

describe.runIf(hasPostgres)('a subscription in Postgres', () => {
  const database = useServer()

  it('yields what is stored, then what changes', async () => {
    const store = database.fleet().questions('n1')
    await ask(store, 't1')
    await store.writeAnswer('t2', 'answer', { expected: null })
    const { lists } = follow(database.fleet().questions('n1'))
    await vi.waitFor(() => expect(ids(lists)).toEqual(['t1', 't2']))
    const answered = await store.writeAnswer('t1', 'answer', { expected: null })
    await vi.waitFor(() => expect(lists.at(-1)).toEqual([answered]))
  })

  it('begins with an empty list where nothing is stored, and where only new answers are wanted', async () => {
    const store = database.fleet().questions('n1')
    const nothing = follow(store)
    await vi.waitFor(() => expect(nothing.lists).toEqual([[]]))
    const fleet = database.fleet()
    await ask(fleet.questions('n1'), 't1')
    await vi.waitFor(() => expect(ids(nothing.lists)).toEqual(['t1']))
    // Its notifications were sent then.
    await fleet.close()
    const onlyAnswers = follow(database.fleet().questions('n1'), { onlyAnswers: true })
    await vi.waitFor(() => expect(onlyAnswers.lists).toEqual([[]]))
    await ask(store, 't2')
    await store.writeAnswer('t2', 'answer', { expected: null })
    await vi.waitFor(() => expect(ids(onlyAnswers.lists)).toEqual(['t2']))
  })

  it('yields one question alone, and one namespace alone', async () => {
    const fleet = database.fleet()
    const one = follow(fleet.questions('n1'), { toolCallId: 't1' })
    const all = follow(fleet.questions('n1'))
    await vi.waitFor(() => expect([...one.lists, ...all.lists]).toEqual([[], []]))
    await ask(fleet.questions('n2'), 't1')
    await ask(fleet.questions('n1'), 't2')
    await ask(fleet.questions('n1'), 't1')
    await vi.waitFor(() => expect(ids(all.lists).sort()).toEqual(['t1', 't2']))
    await vi.waitFor(() => expect(ids(one.lists)).toEqual(['t1']))
  })

  it('brings a change by a notification, long before the next look', async () => {
    const { lists } = follow(database.fleet({ pollMs: LONG }).questions('n1'))
    await vi.waitFor(() => expect(lists).toEqual([[]]))
    await ask(database.fleet().questions('n1'), 't1')
    await vi.waitFor(() => expect(ids(lists)).toEqual(['t1']))
  })

  it('brings changes by notifications after the commit, while another writer notifies with its own', async () => {
    const { lists } = follow(database.fleet({ pollMs: LONG }).questions('n1'))
    await vi.waitFor(() => expect(lists).toEqual([[]]))
    const other = await database.connect()
    await other.query('BEGIN')
    await other.query("SELECT * FROM notify_alone('n1', 't9')")
    const store = database.fleet().questions('n1')
    // They are acknowledged, though Postgres lets only one transaction with notifications commit at a time.
    await Promise.all(['t1', 't2', 't3'].map((id) => ask(store, id)))
    await other.query('COMMIT')
    await vi.waitFor(() => expect(ids(lists).sort()).toEqual(['t1', 't2', 't3']))
  })

  it('brings a change without notifications', async () => {
    const { lists } = follow(database.fleet({ listen: false, pollMs: 20 }).questions('n1'))
    await vi.waitFor(() => expect(lists).toEqual([[]]))
    await ask(database.fleet().questions('n1'), 't1')
    await vi.waitFor(() => expect(ids(lists)).toEqual(['t1']))
  })

  it('brings a change once, though the notification and the next look both find it', async () => {
    const clock = createFakeClock()
    const { lists } = follow(database.fleet({ clock }).questions('n1'))
    await vi.waitFor(() => expect(lists).toEqual([[]]))
    const other = database.fleet().questions('n1')
    for (let n = 0; n < 20; n++) await ask(other, `t${n}`)
    await vi.waitFor(() => expect(ids(lists)).toHaveLength(20))
    clock.advance(1000)
    // The look is over. One that finds the change before its notification is sent brings it twice, which is no fault.
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    await ask(other, 'last')
    await vi.waitFor(() => expect(ids(lists)).toContain('last'))
    expect(ids(lists)).toHaveLength(21)
  })

  it.each([true, false])('misses no transaction that commits late (with listen: %s)', async (listen) => {
    const { lists } = follow(database.fleet({ listen, pollMs: 20 }).questions('n1'))
    await vi.waitFor(() => expect(lists).toEqual([[]]))
    const late = await database.connect()
    await late.query('BEGIN')
    await late.query(
      "SELECT * FROM write_text('a', 'channel', 'n1', 'late', 'late', 'answer', NULL, NULL, NULL, NULL)",
    )
    const store = database.fleet().questions('n1')
    for (let n = 0; n < 5; n++) {
      await ask(store, `t${n}`)
      await vi.waitFor(() => expect(ids(lists)).toContain(`t${n}`))
    }
    await late.query('COMMIT')
    await vi.waitFor(() => expect(ids(lists)).toContain('late'))
    // While the transaction was open, each look found the same rows again. A late notification may bring a row once more.
    expect(ids(lists).length).toBeLessThanOrEqual(listen ? 12 : 6)
  })

  it('misses nothing while its connections are cut', async () => {
    const warnings: string[] = []
    const fleet = database.fleet({ onWarning: ({ code }) => warnings.push(code) })
    const { lists } = follow(fleet.questions('n1'))
    const store = database.fleet().questions('n1')
    const cutting = await database.connect()
    for (let n = 0; n < 10; n++) {
      await cutting.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL',
      )
      // A null says that an earlier attempt wrote it, and lost its reply.
      await vi.waitFor(() => store.writeRecord(`t${n}`, 'record', { expected: null, facts: facts() }))
    }
    await vi.waitFor(() => expect(new Set(ids(lists)).size).toBe(10))
    expect(new Set(warnings)).toEqual(new Set(['UNREACHABLE']))
  })

  it('brings everything again when the server was another one', async () => {
    const fleet = database.fleet()
    await ask(fleet.questions('n1'), 't1')
    await fleet.close()
    const { lists } = follow(database.fleet({ pollMs: 20 }).questions('n1'), { onlyAnswers: true })
    await vi.waitFor(() => expect(lists).toEqual([[]]))
    await database.server.kill()
    await database.server.start()
    // A connection that outlives its killed server for a moment may bring it, too.
    await vi.waitFor(() => expect(new Set(ids(lists))).toEqual(new Set(['t1'])))
  })

  it.each([true, false])(
    'brings everything again after a crash with the same start time (listen: %s)',
    async (listen) => {
      const fleet = database.fleet()
      await ask(fleet.questions('n1'), 't1')
      await fleet.close()
      const { lists } = follow(database.fleet({ listen, pollMs: 20 }).questions('n1'), { onlyAnswers: true })
      await vi.waitFor(() => expect(lists).toEqual([[]]))
      const client = await database.connect()
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      process.kill(rows[0].pid, 'SIGKILL')
      await vi.waitFor(() => expect(ids(lists)).toEqual(['t1']))
    },
  )

  it('yields the whole of a large namespace, also answers between the records', async () => {
    const client = await database.connect()
    const store = database.fleet().questions('n1')
    await store.list()
    await client.query(`
      INSERT INTO questions (namespace, key, tool_call_id, record, run_id, asked_at_ms, is_settled)
        SELECT 'n1', 't' || n, 't' || n, 'record', 'run-1', n, false FROM generate_series(1, 3000) n WHERE n % 3 < 2;
      INSERT INTO answers (namespace, key, tool_call_id, answer)
        SELECT 'n1', 't' || n, 't' || n, 'answer' FROM generate_series(1, 3000) n WHERE n % 3 > 0`)
    const { lists } = follow(store)
    await vi.waitFor(() => expect(new Set(ids(lists)).size).toBe(3000))
    expect(ids(lists)).toHaveLength(3000)
    expect(lists.flat().filter(({ record, answer }) => record && answer)).toHaveLength(1000)
  })

  it('brings long texts in parts, past a row that cannot be read', async () => {
    const warnings: string[] = []
    const fleet = database.fleet({ onWarning: ({ message }) => warnings.push(message) })
    const store = fleet.questions('n1')
    await store.list()
    const { lists } = follow(store)
    await vi.waitFor(() => expect(lists).toHaveLength(1))
    const client = await database.connect()
    await client.query(`
      INSERT INTO questions (namespace, key, tool_call_id, record, run_id, asked_at_ms, is_settled)
        SELECT 'n1', 't' || n, CASE n WHEN 11 THEN '"' ELSE 't' || n END, repeat('x', 1000000), 'run-1', n, false
        FROM generate_series(10, 24) n`)
    const expected = [10, ...Array.from({ length: 13 }, (_, n) => n + 12)].map((n) => `t${n}`)
    await vi.waitFor(() => expect(ids(lists).sort()).toEqual(expected))
    const again = follow(store)
    await vi.waitFor(() => expect(ids(again.lists)).toEqual(expected))
    const listed = await store.list({ limit: 10 })
    expect(listed.map(({ toolCallId }) => toolCallId)).toEqual(expected.slice(0, 10))
    expect((await store.read(expected)).map(({ record }) => record?.text.length)).toEqual(
      expected.map(() => 1_000_000),
    )
    // A busy machine may read a page slowly, and then reads it again.
    const lasting = warnings.filter((message) => !/TIMEOUT|has not replied/.test(message))
    expect([...new Set(lasting)]).toEqual([
      expect.stringContaining('A question is left out: its tool call id is malformed'),
    ])
  })

  it('never yields an older version after a newer one, and yields the last', async () => {
    const seen = [
      follow(database.fleet().questions('n1')),
      follow(database.fleet({ listen: false }).questions('n1')),
    ]
    const store = database.fleet().questions('n1')
    let expected: string | null = null
    for (let n = 1; n <= 200; n++) {
      const stored = await store.writeAnswer('t1', String(n), { expected })
      expected = stored?.answer?.version ?? null
      if (n % 20 === 0) seen.push(follow(database.fleet({ pollMs: 10 }).questions('n1')))
    }
    for (const { lists } of seen) {
      const texts = (): number[] => lists.flat().map(({ answer }) => Number(answer?.text))
      await vi.waitFor(() => expect(texts().at(-1)).toBe(200))
      expect(texts()).toEqual(texts().sort((a, b) => a - b))
    }
  })

  it('ends when its signal aborts, when its iterator returns, and when the fleet is closed', async () => {
    const fleet = database.fleet()
    const aborted = follow(fleet.questions('n1'))
    await vi.waitFor(() => expect(aborted.lists).toHaveLength(1))
    aborted.stop()
    await aborted.ended
    const iterator = fleet.questions('n1').subscribe(new AbortController().signal)[Symbol.asyncIterator]()
    await iterator.next()
    const waiting = iterator.next()
    await iterator.return?.()
    expect((await waiting).done).toBe(true)
    const closed = follow(fleet.questions('n1'))
    await vi.waitFor(() => expect(closed.lists).toHaveLength(1))
    await fleet.close()
    await closed.ended
  })

  it('leaves no connection behind', async () => {
    const fleet = database.fleet()
    const { lists } = follow(fleet.questions('n1'))
    await vi.waitFor(() => expect(lists).toHaveLength(1))
    const client = await database.connect()
    const listening = async (): Promise<number> => {
      const { rows } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'sandagent'",
      )
      return rows.length
    }
    expect(await listening()).toBeGreaterThan(0)
    await fleet.close()
    await vi.waitFor(async () => expect(await listening()).toBe(0))
  })
})
