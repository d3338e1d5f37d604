import { refuseReplica } from '../database/refuse-replica.ts'
import type { Change, Kind } from '../lib/hint.ts'

/** Where a look ended: what was finished by then, on this start of this server. */
export interface Cursor {
  snapshot: string
  server: string
}

interface LookRow {
  snapshot: string
  server: string
  is_replica: boolean
  namespace: string | null
  key: string
  kind: Kind
  version: string
}

/**
 * Selects what was written by transactions that were not finished at the last look. A number that only counts up would miss
 * some: a transaction with a smaller number may commit later. `written < xmax` leaves out rows of a restored dump, whose
 * numbers come from another server.
 *
 * A server that starts again after a crash of one of its processes keeps its start time, and may give numbers out again. But it
 * resets its statistics.
 *
 * $1: the snapshot of the last look, or null.
 */
export const lookStatement = (schema: string): string => {
  const written = (table: string, kind: Kind): string =>
    `SELECT namespace, key, '${kind}' AS kind, version FROM "${schema}".${table}
     WHERE written >= pg_snapshot_xmin($1::pg_snapshot) AND written < pg_snapshot_xmax(now.snapshot)
       AND NOT pg_visible_in_snapshot(written, $1::pg_snapshot)`
  return `SELECT now.snapshot::text, now.server, now.is_replica, changed.namespace, changed.key, changed.kind, changed.version
    FROM (
      SELECT pg_current_snapshot() AS snapshot, extract(epoch FROM pg_postmaster_start_time()) || ' '
          || coalesce(extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time())::text, '') AS server,
        pg_is_in_recovery() AS is_replica
    ) now
    LEFT JOIN LATERAL (${written('questions', 'q')} UNION ALL ${written('answers', 'a')}) changed ON true`
}

/** @throws AskError `UNREACHABLE` if a replica was asked */
export function readLook(rows: readonly unknown[]): { cursor: Cursor; changes: Change[] } {
  const all = rows as [LookRow, ...LookRow[]]
  refuseReplica(all)
  const [{ snapshot, server }] = all
  const changes = all.flatMap(({ namespace, key, kind, version }) =>
    namespace === null ? [] : [{ namespace, key, kind, version }],
  )
  return { cursor: { snapshot, server }, changes }
}
