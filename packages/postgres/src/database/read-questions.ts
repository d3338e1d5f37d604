import { type CutRow, cutShort, PAGE_BYTES } from './cut-short.ts'
import type { Database } from './database.ts'
import { refuseReplica } from './refuse-replica.ts'
import { TEXT_COLUMNS, type TextColumns } from './stored-rows.ts'

export interface QuestionRow extends TextColumns, CutRow {
  namespace: string
  key: string
  /** `null`: nothing is stored. */
  tool_call_id: string | null
}

/**
 * The first of these questions in their order, as many as have so many bytes of texts.
 *
 * @throws AskError `UNREACHABLE`
 */
export async function readQuestions(
  database: Database,
  asked: readonly { namespace: string; key: string }[],
  bytes: number,
): Promise<QuestionRow[]> {
  const { schema } = database
  const select = `
    SELECT asked.place, asked.namespace, asked.key, coalesce(q.tool_call_id, a.tool_call_id) AS tool_call_id,
      ${TEXT_COLUMNS}, pg_is_in_recovery() AS is_replica
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (namespace, key, place)
    LEFT JOIN "${schema}".questions q ON q.namespace = asked.namespace AND q.key = asked.key
    LEFT JOIN "${schema}".answers a ON a.namespace = asked.namespace AND a.key = asked.key`
  const rows = await database.query<QuestionRow & { is_replica: boolean }>(
    cutShort(select, { order: 'place', bytes }),
    [asked.map(({ namespace }) => namespace), asked.map(({ key }) => key)],
    { isFrequent: true },
  )
  refuseReplica(rows)
  return rows
}

/** All of these questions, in their order. */
export async function readAll(
  database: Database,
  asked: readonly { namespace: string; key: string }[],
): Promise<QuestionRow[]> {
  const rows: QuestionRow[] = []
  while (rows.length < asked.length)
    rows.push(...(await readQuestions(database, asked.slice(rows.length), PAGE_BYTES)))
  return rows
}
