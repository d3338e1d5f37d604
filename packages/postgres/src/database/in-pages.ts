import type { ListPlace } from '@sandagent/core/store'
import { storageKey } from '../lib/storage-key.ts'
import { type CutRow, cutShort, isLastPage, PAGE_BYTES } from './cut-short.ts'

/** So many rows come with one statement: more could take too long, or too much memory at once. */
const PAGE = 1000

/** The times that JavaScript knows. A row with another one was not written by this package. */
export const IN_TIME = 'q.asked_at_ms BETWEEN -8640000000000000 AND 8640000000000000'
const BEGINNING = '-8640000000000000'

export interface InPagesOptions<Row, T> {
  limit: number
  /** The order of the list: columns of a row. */
  order: string
  /** Selects a page. `last` is the last row of the page before. */
  page(limit: number, last: Row | undefined): { select: string; values: unknown[] }
  query(statement: string, values: unknown[]): Promise<Row[]>
  /** What is listed of a row; nothing of one that cannot be read. */
  entriesOf(row: Row): T[]
}

/** Reads a list page by page. */
export async function inPages<Row extends CutRow, T>({
  limit,
  order,
  page,
  query,
  entriesOf,
}: InPagesOptions<Row, T>): Promise<T[]> {
  const all: T[] = []
  let last: Row | undefined
  for (;;) {
    const wanted = Math.min(PAGE, limit - all.length)
    if (wanted <= 0) return all
    const { select, values } = page(wanted, last)
    const rows = await query(cutShort(select, { order, bytes: PAGE_BYTES }), values)
    for (const row of rows) all.push(...entriesOf(row))
    if (isLastPage(rows, wanted)) return all
    last = rows.at(-1)
  }
}

/** The time and the key that come before the first entry of a list. */
export const placeValues = (after: ListPlace | undefined): [string, string] =>
  after ? [String(Date.parse(after.askedAt)), storageKey(after.toolCallId)] : [BEGINNING, '']
