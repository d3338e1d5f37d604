import { createHostChannel, createRunnerChannel } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'

type Place = { askedAt: string; toolCallId: string }
type Page = { records: { toolCallId: string }[]; next: Place | null }

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

describe('the pages of a store', () => {
  it('go on past malformed records, by the time that the store sorts by', async () => {
    const store = createMemoryFleet().questions('one')
    const malformed = (id: string, second: number) =>
      store.writeRecord(id, '{', {
        expected: null,
        facts: { runId: 'run-1', askedAt: at(second), isSettled: false },
      })
    await malformed('t1', 1)
    await malformed('t2', 2)
    await createRunnerChannel(store).open(openRecord('t3', { askedAt: at(3) }))
    const record = (await store.read(['t3']))[0]?.record?.text ?? ''
    // Its record says another time than its facts.
    await store.writeRecord('t4', record.replace('"t3"', '"t4"').replace(at(3), at(0)), {
      expected: null,
      facts: { runId: 'run-1', askedAt: at(4), isSettled: false },
    })
    await malformed('t5', 5)
    const { page } = createHostChannel(store)
    const pages: string[][] = []
    let after: Place | null = null
    do {
      const found: Page | undefined = await page?.({ unsettled: true, limit: 2, after })
      pages.push((found?.records ?? []).map(({ toolCallId }) => toolCallId))
      after = found?.next ?? null
    } while (after)
    expect(pages).toEqual([[], ['t3', 't4'], []])
  })
})
