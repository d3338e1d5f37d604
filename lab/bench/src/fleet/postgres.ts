import { createPostgresFleet } from '@sandagent/postgres'
import pg from 'pg'
import type { Carrier } from './carrier.ts'
import { startPostgres } from './postgres-server.ts'

export const postgres: Carrier = {
  name: 'postgres',
  start: startPostgres,
  fleet: (connectionString) => createPostgresFleet({ connectionString }),
  // Few connections each, so that 20 runners leave the server time to work.
  runner: (connectionString, namespace) =>
    createPostgresFleet({ pool: new pg.Pool({ connectionString, max: 2 }) }).questions(namespace),
  async bare(connectionString) {
    const pool = new pg.Pool({ connectionString })
    await pool.query('CREATE TABLE IF NOT EXISTS bare (key text PRIMARY KEY, text text NOT NULL)')
    return {
      async store(namespace, key, text) {
        await pool.query(
          'WITH stored AS (INSERT INTO bare VALUES ($1, $2) RETURNING key) SELECT pg_notify($3, key) FROM stored',
          [`${namespace}/${key}`, text, namespace],
        )
      },
      async listen(namespace, onKey) {
        const client = await pool.connect()
        client.on('notification', async ({ payload = '' }) => {
          await pool.query('SELECT text FROM bare WHERE key = $1', [payload])
          onKey(payload.slice(namespace.length + 1))
        })
        await client.query(`LISTEN "${namespace}"`)
      },
      close: () => pool.end(),
    }
  },
}
