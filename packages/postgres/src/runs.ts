import type { RunRegistry, StoredRun } from '@sandagent/fleet'
import type { Database } from './database/database.ts'
import { storageKey } from './lib/storage-key.ts'

export function createRuns(database: Database): RunRegistry {
  const table = `"${database.schema}".runs`
  return {
    async put({ endedAt, ...run }) {
      await database.query(
        `INSERT INTO ${table} (key, run, started_at, ended_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (key) DO UPDATE SET run = excluded.run, started_at = excluded.started_at, ended_at = excluded.ended_at`,
        [storageKey(run.runId), JSON.stringify(run), run.startedAt, endedAt ?? null],
      )
    },

    async end({ runId, startedAt, endedAt }) {
      await database.query(`UPDATE ${table} SET ended_at = $3 WHERE key = $1 AND started_at = $2`, [
        storageKey(runId),
        startedAt,
        endedAt,
      ])
    },

    async find(runId) {
      const [row] = await database.query<{ run: StoredRun; ended_at: string | null }>(
        `SELECT run, ended_at FROM ${table} WHERE key = $1`,
        [storageKey(runId)],
      )
      return row ? { ...row.run, ...(row.ended_at !== null && { endedAt: row.ended_at }) } : null
    },
  }
}
