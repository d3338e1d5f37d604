import { NUMBER_KEYS } from '../rows.ts'

/** Positions in a list: from the first one of a page to before the next page. */
export interface Page {
  from: number
  to: number
}

/**
 * Cuts a list into pages: each has at most as many rows as there are number keys, and at most `lines` lines, but at least
 * one row. An empty list has one empty page.
 *
 * @param heights the lines of each row
 */
export function pagesOf(heights: readonly number[], lines: number): Page[] {
  const pages: Page[] = [{ from: 0, to: 0 }]
  let taken = 0
  for (const [index, height] of heights.entries()) {
    const page = pages.at(-1) as Page
    const isFull = page.to > page.from && (page.to - page.from === NUMBER_KEYS || taken + height > lines)
    if (isFull) {
      pages.push({ from: index, to: index + 1 })
      taken = height
    } else {
      page.to = index + 1
      taken += height
    }
  }
  return pages
}

export const pageWith = (pages: readonly Page[], position: number): Page =>
  pages.find(({ to }) => position < to) ?? (pages.at(-1) as Page)
