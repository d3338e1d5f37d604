import { createPostgresFleet } from '@sandagent/postgres'
import pg from 'pg'
import type { Carrier } from './carrier.ts'
import { startPostgres } from './postgres-server.ts'

const CHANNEL = 'bare'

export const postgres: Carrier = {
  name: 'postgres',
  start: startPostgres,
  fleet: (connectionString) => createPostgresFleet({ connectionString }),
  // Few connections each, so that 20 runners leave the server time to work.
  runner: (connectionString, namespace) =>
    createPostgresFleet({ pool: new pg.Pool({ connectionString, max: 2 }) }).questions(namespace),
  async bare(connectionString) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query('CREATE TABLE IF NOT EXISTS bare (key text PRIMARY KEY, text text NOT NULL)')
    return {
      async store(key, text) {
        await client.query(
          `WITH stored AS (INSERT INTO bare VALUES ($1, $2) RETURNING key) SELECT pg_notify('${CHANNEL}', key) FROM stored`,
          [key, text],
        )
      },
      async listen(onKey) {
        client.on('notification', ({ payload = '' }) => onKey(payload))
        await client.query(`LISTEN ${CHANNEL}`)
      },
      close: () => client.end(),
    }
  },
}
