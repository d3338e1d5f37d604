import type { StoredQuestion } from '@sandagent/core/store'
import { type CutRow, cutShort, isLastPage } from '../database/cut-short.ts'
import type { Database } from '../database/database.ts'
import { type QuestionRow, readQuestions } from '../database/read-questions.ts'
import { storedIn, TEXT_COLUMNS } from '../database/stored-rows.ts'
import type { Hint } from '../lib/hint.ts'

export interface Found extends Hint {
  stored: StoredQuestion
}

/**
 * What is stored of the first of these questions, as many as have so many bytes of texts. A question of which nothing is
 * stored any more is left out.
 *
 * @returns `count`: how many were read
 */
export async function readChanged(
  database: Database,
  hints: readonly Hint[],
  bytes: number,
): Promise<{ found: Found[]; count: number }> {
  const rows = await readQuestions(database, hints, bytes)
  return { found: foundIn(rows, database), count: rows.length }
}

/**
 * The questions of a namespace with keys after this one, in the order of keys; also answers without a record.
 *
 * @returns `last`: the last key that was read; `null` if no key comes after these
 */
export async function readNamespace(
  database: Database,
  { namespace, key }: Hint,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<{ found: Found[]; last: string | null }> {
  const some = (table: string): string =>
    `(SELECT * FROM "${database.schema}".${table} WHERE namespace = $1 AND key > $2 ORDER BY key LIMIT $3)`
  const select = `
    SELECT $1::text AS namespace, key, coalesce(q.tool_call_id, a.tool_call_id) AS tool_call_id, ${TEXT_COLUMNS}
    FROM ${some('questions')} q FULL JOIN ${some('answers')} a USING (key) ORDER BY key LIMIT $3`
  const rows = await database.query<QuestionRow & CutRow>(cutShort(select, { order: 'key', bytes }), [
    namespace,
    key,
    limit,
  ])
  const last = isLastPage(rows, limit) ? null : (rows.at(-1)?.key ?? null)
  return { found: foundIn(rows, database), last }
}

const foundIn = (rows: readonly QuestionRow[], database: Database): Found[] =>
  rows.flatMap(({ namespace, key, tool_call_id, ...row }) =>
    tool_call_id === null
      ? []
      : storedIn({ tool_call_id, ...row }, database).map((stored) => ({ namespace, key, stored })),
  )
