import { expect, it } from 'vitest'
import type { InboxQuestion } from '../src/inbox-question.ts'
import { statisticsOf } from '../src/inbox-statistics.ts'
import type { InboxListOptions } from '../src/list-inbox.ts'

const NOW = Date.parse('2026-01-10T12:00:00.000Z')
const HOUR_MS = 60 * 60_000

/** A question that somebody answered some hours ago, after it had waited. */
const answered = (hoursAgo: number, waitedMs: number, byOther = false): InboxQuestion => {
  const at = NOW - hoursAgo * HOUR_MS
  const [askedAt, answeredAt] = [at - waitedMs, at].map((time) => new Date(time).toISOString())
  return { sandboxId: 'one', sandboxName: 'One', question: { askedAt, answeredAt, byOther } } as InboxQuestion
}

/** A history of pages. `asked` counts those that were read. */
function paged(...pages: InboxQuestion[][]) {
  const asked: InboxListOptions[] = []
  const history = async (page: InboxListOptions) => {
    asked.push(page)
    const place = Number(page.cursor ?? 0)
    return {
      questions: pages[place] ?? [],
      unreachable: [],
      ...(place + 1 < pages.length && { nextCursor: `${place + 1}` }),
    }
  }
  return { asked, history }
}

it('tells how long half of a person’s answers waited at most, of a day and of a week', async () => {
  const { history } = paged([
    answered(1, 60_000),
    answered(2, 9_000_000),
    answered(3, 120_000),
    answered(4, 1, true),
    answered(30, 600_000),
    answered(200, 1),
  ])
  expect(await statisticsOf(history, NOW)).toEqual({
    day: { answered: 3, medianMs: 120_000 },
    week: { answered: 4, medianMs: 120_000 },
  })
})

it('reads page by page, and no farther than a week', async () => {
  const { asked, history } = paged([answered(1, 1)], [answered(169, 1)], [answered(1000, 1)])
  expect(await statisticsOf(history, NOW)).toMatchObject({ week: { answered: 1, medianMs: 1 } })
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, '1'])
})

it('has no median without answers, such as of questions that timed out', async () => {
  const { history } = paged([{ question: { settledAt: new Date(NOW).toISOString() } } as InboxQuestion])
  expect(await statisticsOf(history, NOW)).toEqual({
    day: { answered: 0, medianMs: null },
    week: { answered: 0, medianMs: null },
  })
})
