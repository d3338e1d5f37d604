import type { Database } from './database/database.ts'

/** How many questions one statement removes. */
const AT_ONCE = 1000

/**
 * Removes settled questions that were last written so long ago, by the clock of the database, with their answers and files. A
 * question that is asked again meanwhile stays: the statement checks each row once more when it has locked the row.
 */
export async function sweep(database: Database, olderThanMs: number): Promise<number> {
  const { schema } = database
  let sum = 0
  for (let count = AT_ONCE; count === AT_ONCE; sum += count) {
    const [row] = await database.query<{ count: number }>(
      `WITH gone AS (
         DELETE FROM "${schema}".questions
         WHERE (namespace, key) IN (
           SELECT namespace, key FROM "${schema}".questions
           WHERE is_settled AND written_at < now() - $1::float8 * interval '1 millisecond'
           ORDER BY written_at LIMIT $2
         ) AND is_settled AND written_at < now() - $1::float8 * interval '1 millisecond'
         RETURNING namespace, key
       ), answers_gone AS (
         DELETE FROM "${schema}".answers a USING gone WHERE a.namespace = gone.namespace AND a.key = gone.key
       )
       SELECT count(*)::int AS count FROM gone`,
      [olderThanMs, AT_ONCE],
    )
    count = row?.count ?? 0
  }
  // Files whose question is gone, also of one that was swept while somebody gave them.
  await database.query(
    `DELETE FROM "${schema}".attachments f WHERE written_at < now() - $1::float8 * interval '1 millisecond'
       AND NOT EXISTS (SELECT 1 FROM "${schema}".questions q WHERE q.namespace = f.namespace AND q.key = f.key)`,
    [olderThanMs],
  )
  return sum
}
