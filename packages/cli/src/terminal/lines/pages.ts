import type { CliIo } from '../../io.ts'
import { UNREAD } from './lines-texts.ts'

/** Prints lines. An approval that is longer than the screen is read in parts, to its end. */
export function createPages({ stdout }: Pick<CliIo, 'stdout'>, isApproval: boolean) {
  let unread: readonly string[] = []
  const showMore = (): void => {
    const most = isApproval ? Math.max(4, (stdout.rows || 24) - 4) : Number.POSITIVE_INFINITY
    const end = unread.length > most ? most - 1 : unread.length
    const shown = unread.slice(0, end)
    unread = unread.slice(end)
    const { length } = unread
    const more = length > 0 ? [`… ${length} ${length === 1 ? 'line' : 'lines'} more. ${UNREAD}`] : []
    stdout.write(`${[...shown, ...more].join('\n')}\n`)
  }
  return {
    /** Prints the first part in the place of what was not read yet. */
    show(lines: readonly string[]): void {
      unread = lines
      showMore()
    },
    showMore,
    hasMore: (): boolean => unread.length > 0,
  }
}
