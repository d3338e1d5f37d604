import type { Clock, QuestionView } from '@sandagent/core'
import { afterEach, expect, it, vi } from 'vitest'
import { shareFollow, type TabMeans } from '../../src/react/share-follow.ts'

const view: QuestionView = {
  toolCallId: 'toolu_1',
  kind: 'question',
  state: 'open',
  questions: [{ id: 'q1', question: 'Go on?' }],
  responses: {},
  revision: 0,
  cancelled: false,
  deadline: '2026-01-01T00:01:00.000Z',
  remainingMs: 60_000,
}

let now = 0
const clock: Clock = { now: () => now, after: () => () => {} }

/** What the tabs of one browser have in common. */
function browser(): TabMeans {
  const lines = new Map<string, Promise<unknown>>()
  return {
    openChannel: (name) => new BroadcastChannel(name),
    locks: {
      request: (async (name: string, { signal }: LockOptions, task: () => Promise<void>) => {
        const turn = (lines.get(name) ?? Promise.resolve()).then(() => {
          signal?.throwIfAborted()
          return task()
        })
        lines.set(
          name,
          turn.catch(() => {}),
        )
        return turn
      }) as LockManager['request'],
    },
  }
}

/** Connections to the host, in the test's hands. */
const connections = new Set<(view: QuestionView) => void>()
const connected = (count: number): Promise<void> => vi.waitFor(() => expect(connections.size).toBe(count))
const opened: { close(): void }[] = []
afterEach(async () => {
  for (const tab of opened.splice(0)) tab.close()
  await connected(0)
  now = 0
})
const report = (shown: QuestionView): void => {
  for (const connection of connections) connection(shown)
}

/** Opens a tab that follows a question. */
function openTab(means: TabMeans | null, name = 'question') {
  const views: QuestionView[] = []
  const follow = (onView: (view: QuestionView) => void) => {
    connections.add(onView)
    return () => void connections.delete(onView)
  }
  const close = shareFollow(name, follow, (shown) => views.push(shown), clock, means)
  opened.push({ close })
  return { views, close }
}

it('holds one connection for all tabs, and tells each of them', async () => {
  const means = browser()
  const tabs = [openTab(means), openTab(means), openTab(means)]
  await connected(1)
  report(view)
  report({ ...view, revision: 1 })
  for (const { views } of tabs)
    await vi.waitFor(() => expect(views).toEqual([view, { ...view, revision: 1 }]))
  expect(connections.size).toBe(1)
})

it('tells a tab that comes later what is so, with the time that is left by then', async () => {
  const means = browser()
  openTab(means)
  await connected(1)
  report(view)
  now = 20_000
  const later = openTab(means)
  await vi.waitFor(() => expect(later.views).toEqual([{ ...view, remainingMs: 40_000 }]))
})

it('hands the connection on when the tab that holds it goes', async () => {
  const means = browser()
  const first = openTab(means)
  const second = openTab(means)
  await connected(1)
  first.close()
  await vi.waitFor(() => {
    report(view)
    expect(second.views).toContainEqual(view)
  })
  expect(first.views).toEqual([])
})

it('never connects for a tab that went before its turn', async () => {
  const means = browser()
  openTab(means)
  openTab(means).close()
  await connected(1)
})

it('keeps questions apart', async () => {
  const means = browser()
  openTab(means, 'one')
  openTab(means, 'other')
  await connected(2)
})

it('follows for each tab where tabs cannot agree', async () => {
  const tabs = [openTab(null), openTab(null)]
  expect(connections.size).toBe(2)
  report(view)
  for (const { views } of tabs) expect(views).toEqual([view])
})
