import { randomUUID } from 'node:crypto'
import { type FilePiece, type FileRoom, PIECE_BYTES, refuseFull } from '@sandagent/core/internal'
import type { Hint } from '../lib/hint.ts'
import type { Database } from './database.ts'
import { refuseReplica } from './refuse-replica.ts'

/** Two writers of the same bytes: one of them was first (SQLSTATE). */
const IS_THERE = '23505'

/** Stores a file in pieces, under a name of its own until the last one is there. */
export async function writeAttachment(
  database: Database,
  { namespace, key }: Hint,
  pieces: AsyncIterable<Uint8Array>,
  nameOf: () => string,
  room: FileRoom,
): Promise<void> {
  const table = `"${database.schema}".attachments`
  /** @param more how many files are still to come */
  const refuseFullWith = async (more: number): Promise<void> => {
    const [stored] = await database.query<FileRoom>(
      `SELECT count(DISTINCT (key, name))::int + $2 AS files, coalesce(sum(octet_length(bytes)), 0)::float8 AS bytes
       FROM ${table} WHERE namespace = $1`,
      [namespace, more],
    )
    if (stored) refuseFull(stored, room)
  }
  await refuseFullWith(1)
  const coming = [namespace, key, `.${randomUUID()}`]
  const put = (start: number, bytes: Uint8Array): Promise<unknown> =>
    database.query(
      `INSERT INTO ${table} (namespace, key, name, start, bytes) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [...coming, start, Buffer.from(bytes)],
    )
  try {
    let size = 0
    for await (const piece of pieces) {
      await put(size, piece)
      size += piece.length
    }
    const name = nameOf()
    if (size === 0) await put(0, new Uint8Array())
    // The last one of several that write at the same time finds the bytes of all.
    await refuseFullWith(0)
    await database
      .query(
        `UPDATE ${table} SET name = $4 WHERE namespace = $1 AND key = $2 AND name = $3 AND NOT EXISTS (
           SELECT 1 FROM ${table} WHERE namespace = $1 AND key = $2 AND name = $4)`,
        [...coming, name],
      )
      .catch((error) => {
        if (error.facts.reason !== IS_THERE) throw error
      })
  } finally {
    const remove = `DELETE FROM ${table} WHERE namespace = $1 AND key = $2 AND name = $3`
    await database.query(remove, coming).catch(() => {}) // It is swept with the question.
  }
}

export async function readAttachment(
  database: Database,
  { namespace, key }: Hint,
  name: string,
  offset: number,
): Promise<FilePiece | null> {
  const table = `"${database.schema}".attachments`
  const [row] = await database.query<{ size: number | null; bytes: Buffer | null; is_replica: boolean }>(
    `SELECT sum(octet_length(bytes))::float8 AS size, pg_is_in_recovery() AS is_replica, (
       SELECT substr(bytes, ($4 - start + 1)::int, $5) FROM ${table}
       WHERE namespace = $1 AND key = $2 AND name = $3 AND start <= $4 AND $4 < start + octet_length(bytes)
     ) AS bytes
     FROM ${table} WHERE namespace = $1 AND key = $2 AND name = $3`,
    [namespace, key, name, offset, PIECE_BYTES],
    { isFrequent: true },
  )
  if (row) refuseReplica([row])
  return row && row.size !== null ? { size: row.size, bytes: row.bytes ?? new Uint8Array() } : null
}
