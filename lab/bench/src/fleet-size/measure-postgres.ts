import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresFleet } from '@sandagent/postgres'
import pg from 'pg'
import { startPostgres } from '../fleet/postgres-server.ts'
import { treeCpuMs } from '../lib/cpu-time.ts'
import { SAMPLE_ID, sampleTexts } from './sample-texts.ts'

/** So many are answered right behind a checkpoint. */
const COLD_ANSWERS = 1000
const LISTENERS = 50
const NOTIFICATIONS = 1000

export interface TableSizes {
  recordBytes: number
  answerBytes: number
  openBytes: number
  openIndexBytes: number
  settledBytes: number
  askWalBytes: number
  answerWalBytes: number
  coldAnswerWalBytes: number
}

export interface ConnectionSizes {
  notifyCpuMs: number
  listenerCpuMs: number
  connectionBytes: number
}

/** @returns `null` if Postgres is not installed */
export async function measurePostgres(count: number): Promise<(TableSizes & ConnectionSizes) | null> {
  const server = await startPostgres()
  if (!server) return null
  const client = new pg.Client(server.url)
  try {
    await client.connect()
    // No checkpoint but those of this program: what they cost is measured apart.
    for (const setting of ["max_wal_size = '16GB'", "checkpoint_timeout = '1h'", 'synchronous_commit = off'])
      await client.query(`ALTER SYSTEM SET ${setting}`)
    await client.query('SELECT pg_reload_conf()')
    const fleet = createPostgresFleet({ connectionString: server.url })
    await fleet.unsettled({ limit: 1 })
    await fleet.close()
    const tables = await measureTables(client, count)
    return { ...tables, ...(await measureConnections(client, server.url)) }
  } finally {
    await client.end()
    await server.stop()
  }
}

/** The same tables, functions and texts as in a fleet. A loop in the database takes the place of hosts and runners. */
async function measureTables(client: pg.Client, count: number): Promise<TableSizes> {
  const { openRecord, settledRecord, answer } = await sampleTexts()
  const number = async (sql: string): Promise<number> =>
    Number(Object.values((await client.query(sql)).rows[0])[0])
  const size = (): Promise<number> => number(`SELECT ${TABLES.map(totalOf).join(' + ')}`)
  const indexes = (): Promise<number> => number("SELECT pg_indexes_size('sandagent.questions')")
  const vacuum = (): Promise<unknown> => client.query(`VACUUM ${TABLES.join(', ')}`)
  /** The bytes of the log that this writes. */
  const walOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await number(WAL)
    await work()
    return (await number(WAL)) - before
  }
  const nonce = (JSON.parse(openRecord) as { nonce: string }).nonce
  const text = (sample: string): string =>
    `replace(replace($t$${sample}$t$, '${SAMPLE_ID}', id), '${nonce}', md5(id))`
  const record = (sample: string, expected: string, isSettled: boolean): string =>
    `PERFORM sandagent.write_text('q', space, space, id, id, ${text(sample)}, ${expected}, space, 1800000000000 + n, ${isSettled});
     COMMIT;`
  const version = '(SELECT version FROM sandagent.questions WHERE namespace = space AND key = id)'
  /** For each number, each write in a transaction of its own. */
  const each = (numbers: string, statements: string): Promise<unknown> =>
    client.query(`DO $$ DECLARE id text; space text; n int; BEGIN
      FOR n IN ${numbers} LOOP
        id := 'toolu_' || substr(md5(n::text), 1, 22); space := 'run_' || (n / 5);
        ${statements}
      END LOOP; END $$`)
  const answerAll = (numbers: string): Promise<unknown> =>
    each(
      numbers,
      `PERFORM sandagent.write_text('a', space, space, id, id, ${text(answer)}, NULL, NULL, NULL, NULL); COMMIT;
      ${record(settledRecord, version, true)}`,
    )

  const [empty, emptyIndexes] = [await size(), await indexes()]
  const asked = await walOf(() =>
    each(`SELECT generate_series(1, ${count})`, record(openRecord, 'NULL', false)),
  )
  await vacuum()
  const [open, openIndexes] = [await size(), await indexes()]
  // Those that follow each other first, then some of which each has a page of its own.
  const half = Math.floor(count / 2)
  const answered = await walOf(() => answerAll(`SELECT generate_series(1, ${half})`))
  await client.query('CHECKPOINT')
  const step = Math.floor(half / COLD_ANSWERS)
  const cold = await walOf(() =>
    answerAll(`SELECT generate_series(${half + 1}, ${half + COLD_ANSWERS * step}, ${step})`),
  )
  const rest = `SELECT m FROM generate_series(${half + 1}, ${count}) m WHERE (m - ${half + 1}) % ${step} <> 0 OR m > ${half + COLD_ANSWERS * step}`
  await answerAll(rest)
  await vacuum()
  return {
    recordBytes: Buffer.byteLength(openRecord),
    answerBytes: Buffer.byteLength(answer),
    openBytes: (open - empty) / count,
    openIndexBytes: (openIndexes - emptyIndexes) / count,
    settledBytes: ((await size()) - empty) / count,
    askWalBytes: asked / count,
    answerWalBytes: answered / half,
    coldAnswerWalBytes: cold / COLD_ANSWERS,
  }
}

const TABLES = ['sandagent.questions', 'sandagent.answers']
const WAL = "SELECT pg_current_wal_insert_lsn() - '0/0'"
const totalOf = (table: string): string => `pg_total_relation_size('${table}')`

/** What a connection keeps, and what a notification costs for one and for many that listen. */
async function measureConnections(client: pg.Client, url: string): Promise<ConnectionSizes> {
  const { rows } = await client.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid")
  const postmaster = Number(rows[0].pid)
  const listeners: pg.Client[] = []
  let heard = 0
  const listen = async (count: number): Promise<void> => {
    while (listeners.length < count) {
      const listener = new pg.Client(url)
      listener.on('notification', () => heard++)
      await listener.connect()
      await listener.query('LISTEN sandagent')
      listeners.push(listener)
    }
  }
  const notify = async (): Promise<number> => {
    heard = 0
    const before = treeCpuMs(postmaster)
    for (let n = 0; n < NOTIFICATIONS; n++)
      await client.query('SELECT pg_notify($1, $2)', [
        'sandagent',
        `0193f0c2-a1b4-7000-8000-${n} run_1 toolu_${n}`,
      ])
    while (heard < NOTIFICATIONS * listeners.length) await sleep(5)
    return (treeCpuMs(postmaster) - before) / NOTIFICATIONS
  }
  try {
    await listen(1)
    await notify()
    const one = await notify()
    await listen(LISTENERS)
    const many = await notify()
    const connections = await Promise.all(
      listeners.map(async (listener) => (await listener.query('SELECT pg_backend_pid() AS pid')).rows[0].pid),
    )
    const sum = connections.reduce((all: number, pid: number) => all + privateBytesOf(pid), 0)
    return {
      notifyCpuMs: one,
      listenerCpuMs: (many - one) / (LISTENERS - 1),
      connectionBytes: sum / connections.length,
    }
  } finally {
    for (const listener of listeners) await listener.end()
  }
}

/** Memory that a process shares with no other one. */
function privateBytesOf(pid: number): number {
  const lines = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+:\s+(\d+) kB/gm)
  return [...lines].reduce((sum, [, kilobytes]) => sum + 1024 * Number(kilobytes), 0)
}
