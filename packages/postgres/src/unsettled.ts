import type { FleetPlace, FleetQuestion } from '@sandagent/fleet'
import type { Database } from './database/database.ts'
import { IN_TIME, inPages, placeValues } from './database/in-pages.ts'
import { type ListedRow, listedIn, TEXT_COLUMNS } from './database/stored-rows.ts'

interface Row extends ListedRow {
  namespace: string
}

/** The unsettled questions of all namespaces. */
export function unsettled(
  database: Database,
  { limit, after }: { limit?: number | undefined; after?: FleetPlace | undefined } = {},
): Promise<FleetQuestion[]> {
  const { schema } = database
  const [askedAtMs, key] = placeValues(after)
  const start = [askedAtMs, after?.namespace ?? '', key]
  return inPages<Row, FleetQuestion>({
    limit: limit ?? Number.POSITIVE_INFINITY,
    order: 'asked_at_ms, namespace, key',
    page: (wanted, last) => ({
      select: `SELECT ${TEXT_COLUMNS}, q.namespace, q.tool_call_id, q.asked_at_ms, q.key
        FROM "${schema}".questions q
        LEFT JOIN "${schema}".answers a ON a.namespace = q.namespace AND a.key = q.key
        WHERE NOT q.is_settled AND ${IN_TIME}
          AND (q.asked_at_ms, q.namespace, q.key) > ($1::bigint, $2::text, $3::text)
        ORDER BY q.asked_at_ms, q.namespace, q.key LIMIT $4`,
      values: [...(last ? [last.asked_at_ms, last.namespace, last.key] : start), wanted],
    }),
    query: (statement, values) => database.query(statement, values),
    entriesOf: (row) => listedIn(row, database).map((listed) => ({ namespace: row.namespace, ...listed })),
  })
}
