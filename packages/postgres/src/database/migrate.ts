import { readdir, readFile } from 'node:fs/promises'
import { AskError } from '@sandagent/core'
import { connectionOf, type PostgresPool } from './pool.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

/** Several hosts may start at once: one of them migrates. The number says that it is for this package. */
const LOCK = '7239101164450131'

const UNDEFINED_TABLE = '42P01'

/** How long the statements may take. The lock is shorter, so that its error comes from the server. */
const STATEMENT_MS = 5000
const LOCK_MS = 4000

/** How long one file may take. */
const FILE_MS = 60_000

// biome-ignore lint/suspicious/noExplicitAny: rows are as the statement says.
type Query = (text: string, values?: unknown[]) => Promise<{ rows: any[] }>

export interface MigrateOptions {
  schema: string
  migrate: boolean
}

/** Brings the tables to the version that this package knows. */
export async function migrate(
  pool: PostgresPool,
  { schema, migrate: mayMigrate }: MigrateOptions,
): Promise<void> {
  const files = await migrationFiles()
  const queryOf =
    (runner: Pick<PostgresPool, 'query'>): Query =>
    (text, values = []) =>
      runner.query({ text, values, query_timeout: STATEMENT_MS })
  const found = await versionOf(queryOf(pool), schema)
  if (isCurrent(found, files.length)) return
  if (!mayMigrate)
    throw new AskError(
      'UNREACHABLE',
      `The tables have version ${found}, and this package needs ${files.length}. Apply the files in its folder "migrations"`,
    )
  const connection = await connectionOf(pool)
  const query = queryOf(connection)
  try {
    await query('BEGIN')
    await query(`SET LOCAL lock_timeout = ${LOCK_MS}`)
    await query('SELECT pg_advisory_xact_lock($1::bigint)', [LOCK])
    const schemas = await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
    if (schemas.rows.length === 0) await query(`CREATE SCHEMA "${schema}"`)
    await query(`SET LOCAL search_path = "${schema}", pg_temp`)
    await query('SAVEPOINT before')
    const before = await versionOf(query, schema).finally(() => query('ROLLBACK TO before'))
    if (!isCurrent(before, files.length))
      for (const file of files.slice(before)) {
        const text = await readFile(new URL(file, FOLDER), 'utf8')
        await connection.query({ text, query_timeout: FILE_MS })
      }
    await query('COMMIT')
    connection.release()
  } catch (error) {
    connection.release(true)
    // Another host may have made the tables while this one waited for the lock. If this look fails, the first error is thrown.
    const now = await versionOf(queryOf(pool), schema).catch(() => 0)
    if (!isCurrent(now, files.length)) throw error
  }
}

/** Their numbers begin at 1 and leave nothing out. */
const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()

/** @throws AskError `UNREACHABLE` when the tables are newer */
function isCurrent(found: number, known: number): boolean {
  if (found <= known) return found === known
  throw new AskError(
    'UNREACHABLE',
    `The tables have version ${found}, and this version of @sandagent/postgres knows ${known}. Use a newer one`,
  )
}

async function versionOf(query: Query, schema: string): Promise<number> {
  try {
    const { rows } = await query(`SELECT coalesce(max(version), 0) AS version FROM "${schema}".migrations`)
    return rows[0]?.version ?? 0
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return 0
    throw error
  }
}
