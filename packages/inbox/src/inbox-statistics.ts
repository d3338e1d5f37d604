import type { InboxList, InboxListOptions } from './list-inbox.ts'

/** How long the questions waited that one person answered. */
export interface Waits {
  answered: number
  /** Half of them waited no longer, in milliseconds; `null` without any. */
  medianMs: number | null
}

/** The reply to `GET statistics`: the last 24 hours, and the last seven days. */
export interface InboxStatistics {
  day: Waits
  week: Waits
}

const DAY_MS = 24 * 60 * 60_000

/** How many answers are read at a time. */
const PAGE = 500

/**
 * Reads what one person has answered in the last days. Answers of others do not count.
 *
 * @param history lists what has ended, as this person sees it, the latest first
 */
export async function statisticsOf(
  history: (page: InboxListOptions) => Promise<InboxList>,
  now: number,
): Promise<InboxStatistics> {
  const waits: { at: number; ms: number }[] = []
  let cursor: string | undefined
  do {
    const { questions, nextCursor } = await history({ limit: PAGE, cursor })
    for (const { question } of questions) {
      const { askedAt, answeredAt, byOther } = question
      if (askedAt === undefined || answeredAt === undefined || byOther) continue
      const at = Date.parse(answeredAt)
      waits.push({ at, ms: Math.max(0, at - Date.parse(askedAt)) })
    }
    const { settledAt, answeredAt } = questions.at(-1)?.question ?? {}
    cursor = Date.parse(settledAt ?? answeredAt ?? '') < now - 7 * DAY_MS ? undefined : nextCursor
  } while (cursor !== undefined)
  const since = (ms: number): Waits =>
    waitsIn(waits.filter(({ at }) => at >= now - ms).map((each) => each.ms))
  return { day: since(DAY_MS), week: since(7 * DAY_MS) }
}

function waitsIn(waits: number[]): Waits {
  const sorted = waits.sort((a, b) => a - b)
  return { answered: sorted.length, medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? null }
}
