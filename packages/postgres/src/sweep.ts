import type { Database } from './database/database.ts'

/** How many questions one statement removes. */
const AT_ONCE = 1000

/**
 * Removes settled questions that were last written so long ago, by the clock of the database. A question that is asked again
 * meanwhile stays: the statement checks each row once more when it has locked the row.
 */
export async function sweep(database: Database, olderThanMs: number): Promise<number> {
  const { schema } = database
  for (let sum = 0; ; ) {
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
    const count = row?.count ?? 0
    sum += count
    if (count < AT_ONCE) return sum
  }
}
