import type { Hint } from '../lib/hint.ts'
import { cutShort, PAGE_BYTES } from './cut-short.ts'
import type { Database } from './database.ts'
import { refuseReplica } from './refuse-replica.ts'
import { TEXT_COLUMNS, type TextColumns } from './stored-rows.ts'

export interface QuestionRow extends TextColumns {
  namespace: string
  key: string
  /** `null`: nothing is stored. */
  tool_call_id: string | null
}

const LIST = '(SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS list (namespace, key, place))'

/** What is stored of each question that `asked` selects. */
const selectStored = (schema: string, asked: string): string => `
  SELECT asked.*, coalesce(q.tool_call_id, a.tool_call_id) AS tool_call_id, ${TEXT_COLUMNS},
    pg_is_in_recovery() AS is_replica
  FROM ${asked} asked
  LEFT JOIN "${schema}".questions q ON q.namespace = asked.namespace AND q.key = asked.key
  LEFT JOIN "${schema}".answers a ON a.namespace = asked.namespace AND a.key = asked.key`

/**
 * The first of these questions in their order, as many as have so many bytes of texts.
 *
 * @throws AskError `UNREACHABLE`
 */
export async function readQuestions(
  database: Database,
  asked: readonly Hint[],
  bytes: number,
): Promise<QuestionRow[]> {
  const { schema } = database
  const [only] = asked
  // The plan for one question does not depend on its values, so the server keeps it. It plans a list anew each time.
  const [select, values] =
    only && asked.length === 1
      ? [selectStored(schema, '(SELECT $1::text AS namespace, $2::text AS key)'), [only.namespace, only.key]]
      : [
          cutShort(selectStored(schema, LIST), { order: 'place', bytes }),
          [asked.map(({ namespace }) => namespace), asked.map(({ key }) => key)],
        ]
  const rows = await database.query<QuestionRow & { is_replica: boolean }>(select, values, {
    isFrequent: true,
  })
  refuseReplica(rows)
  return rows
}

/** All of these questions, in their order. */
export async function readAll(database: Database, asked: readonly Hint[]): Promise<QuestionRow[]> {
  const rows: QuestionRow[] = []
  while (rows.length < asked.length)
    rows.push(...(await readQuestions(database, asked.slice(rows.length), PAGE_BYTES)))
  return rows
}
