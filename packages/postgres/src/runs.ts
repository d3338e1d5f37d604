import type { RunRegistry } from '@sandagent/fleet'
import type { Database } from './database/database.ts'
import { storageKey, storedText, textOf } from './lib/storage-key.ts'

interface RunRow {
  run_id: string
  namespace: string
  public_key_ids: string[] | null
  metadata: Record<string, string>
  owner: string | null
  started_at: string
  ended_at: string | null
}

/** The runs of a fleet. */
export function createRuns(database: Database): RunRegistry {
  const table = `"${database.schema}".runs`
  return {
    async put({ runId, namespace, publicKeyIds, metadata, owner, startedAt, endedAt }) {
      await database.query(
        `INSERT INTO ${table} (key, run_id, namespace, public_key_ids, metadata, started_at, ended_at, owner)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (key) DO UPDATE SET namespace = excluded.namespace, public_key_ids = excluded.public_key_ids,
           metadata = excluded.metadata, started_at = excluded.started_at, ended_at = excluded.ended_at,
           owner = excluded.owner`,
        [
          storageKey(runId),
          storedText(runId),
          namespace,
          publicKeyIds ?? null,
          JSON.stringify(metadata),
          startedAt,
          endedAt ?? null,
          owner === undefined ? null : storedText(owner),
        ],
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
      const [row] = await database.query<RunRow>(`SELECT * FROM ${table} WHERE key = $1`, [storageKey(runId)])
      if (!row) return null
      return {
        runId: textOf(row.run_id),
        namespace: row.namespace,
        ...(row.public_key_ids && { publicKeyIds: row.public_key_ids }),
        metadata: row.metadata,
        ...(row.owner !== null && { owner: textOf(row.owner) }),
        startedAt: row.started_at,
        ...(row.ended_at !== null && { endedAt: row.ended_at }),
      }
    },
  }
}
