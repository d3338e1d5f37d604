import pg from 'pg'
import { nowMs } from './now-ms.ts'

/** What a statement does. */
export type StatementKind = 'answer' | 'record' | 'notify' | 'changes' | 'read'

export interface Statement {
  kind: StatementKind
  startedAt: number
  endedAt: number
}

const KINDS: readonly (readonly [string, StatementKind])[] = [
  ["write_text('a'", 'answer'],
  ["write_text('q'", 'record'],
  ['pg_notify', 'notify'],
  ['unnest($1::text[], $2', 'changes'],
]

/** A pool that notes how long its statements took. `take` returns what was noted since the last time. */
export function createTimedPool(connectionString: string): { pool: pg.Pool; take: () => Statement[] } {
  const pool = new pg.Pool({ connectionString })
  const query = pool.query.bind(pool) as (statement: { text: string }) => Promise<unknown>
  let noted: Statement[] = []
  const timed = async (statement: { text: string }): Promise<unknown> => {
    const startedAt = nowMs()
    const result = await query(statement)
    const kind = KINDS.find(([part]) => statement.text.includes(part))?.[1] ?? 'read'
    noted.push({ kind, startedAt, endedAt: nowMs() })
    return result
  }
  return {
    pool: Object.assign(pool, { query: timed as unknown as typeof pool.query }),
    take() {
      const all = noted
      noted = []
      return all
    },
  }
}
