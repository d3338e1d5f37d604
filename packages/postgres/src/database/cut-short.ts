/** So many bytes of texts come with one statement: more could take longer than a statement may. */
export const PAGE_BYTES: number = 4 * 1024 * 1024

/** What {@link cutShort} adds to a row. */
export interface CutRow {
  /** How many rows there were before rows were left out. */
  page_length: number
}

/**
 * Leaves out the rows of a SELECT that come after so many bytes of texts. The first row always comes. Lengths are known without
 * reading the texts.
 *
 * @param options.order columns of the SELECT, which has this order
 */
export const cutShort = (select: string, { order, bytes }: { order: string; bytes: number }): string =>
  `SELECT * FROM (
     SELECT page.*, count(*) OVER ()::int AS page_length,
       sum(coalesce(octet_length(record), 0) + coalesce(octet_length(answer), 0))
         OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
     FROM (${select}) page
   ) cut WHERE coalesce(bytes_before, 0) < ${bytes} ORDER BY ${order}`

/** Whether no row comes after these. */
export const isLastPage = (rows: readonly CutRow[], wanted: number): boolean => {
  const length = rows[0]?.page_length ?? 0
  return length < wanted && rows.length === length
}
