import type { FleetQuestion } from '@sandagent/fleet'
import type { FleetListOptions } from '@sandagent/fleet/internal'
import { storageKey } from '../lib/storage-key.ts'
import { type CutRow, cutShort, isLastPage, PAGE_BYTES } from './cut-short.ts'
import type { Database } from './database.ts'
import { storedIn, TEXT_COLUMNS, type TextColumns } from './stored-rows.ts'

/** So many rows come with one statement: more could take too long, or too much memory at once. */
const PAGE = 1000

/** The times that JavaScript knows. A row with another one was not written by this package. */
const IN_TIME = 'asked_at_ms BETWEEN -8640000000000000 AND 8640000000000000'
const BEGINNING = '-8640000000000000'

interface Row extends TextColumns, CutRow {
  namespace: string
  tool_call_id: string
  asked_at_ms: string
  key: string
}

/** Lists questions by the time they were asked, page by page. */
export async function listQuestions(
  database: Database,
  { namespace, unsettled = false, limit = Number.POSITIVE_INFINITY, after }: FleetListOptions,
): Promise<FleetQuestion[]> {
  const { schema } = database
  // There is an index for each of these orders.
  const [order, isAfter] =
    namespace === undefined
      ? ['asked_at_ms, namespace, key', '(asked_at_ms, namespace, key) > ($2::bigint, $3::text, $4::text)']
      : ['asked_at_ms, key', 'namespace = $3 AND (asked_at_ms, key) > ($2::bigint, $4::text)']
  const select = `SELECT ${TEXT_COLUMNS}, namespace, q.tool_call_id, asked_at_ms, key
    FROM "${schema}".questions q LEFT JOIN "${schema}".answers a USING (namespace, key)
    WHERE ${isAfter} AND ${IN_TIME} ${unsettled ? 'AND NOT is_settled' : ''} ORDER BY ${order} LIMIT $1`
  const all: FleetQuestion[] = []
  let place = after
    ? [String(Date.parse(after.askedAt)), after.namespace, storageKey(after.toolCallId)]
    : [BEGINNING, namespace ?? '', '']
  for (;;) {
    const wanted = Math.min(PAGE, limit - all.length)
    if (wanted <= 0) return all
    const rows = await database.query<Row>(cutShort(select, { order, bytes: PAGE_BYTES }), [wanted, ...place])
    for (const row of rows) {
      const facts = { namespace: row.namespace, askedAt: new Date(Number(row.asked_at_ms)).toISOString() }
      for (const stored of storedIn(row, database)) all.push({ ...stored, ...facts })
    }
    const last = rows.at(-1)
    if (!last || isLastPage(rows, wanted)) return all
    place = [last.asked_at_ms, last.namespace, last.key]
  }
}
