import type { QuestionView } from '@sandagent/core/internal'
import { afterEach, expect, it, vi } from 'vitest'
import type { Report } from '../../src/transport/question-stream.ts'
import { shareAmongTabs, type TabPlatform } from '../../src/transport/tab-leader.ts'
import { fakeBrowser } from './tabs.ts'

const viewOf = (toolCallId: string, revision = 0): QuestionView => ({
  toolCallId,
  kind: 'question',
  state: 'open',
  questions: [{ id: 'q1', question: 'Go on?' }],
  responses: {},
  revision,
  declined: false,
  deadline: null,
  remainingMs: null,
})

/** A connection to the host, in the test's hands. */
interface Connection {
  wants: readonly string[]
  /** How often it was told what to follow. */
  told: number
  refreshed: number
  report(report: Report): void
}

const connections = new Set<Connection>()
const opened: { close(): void }[] = []
const wanted = (...each: string[][]): Promise<void> =>
  vi.waitFor(() => expect([...connections].map(({ wants }) => [...wants].sort())).toEqual(each))
afterEach(async () => {
  for (const tab of opened.splice(0)) tab.close()
  await wanted()
})
const report = (view: Report): void => {
  for (const connection of connections) connection.report(view)
}

let names = 0
const newName = (): string => `questions ${++names}`

/** Opens a tab that follows questions. */
function openTab(platform: TabPlatform, name: string, ...toolCallIds: string[]) {
  const views: Report[] = []
  const tab = shareAmongTabs(
    name,
    (onView) => {
      const connection: Connection = { wants: [], told: 0, refreshed: 0, report: onView }
      connections.add(connection)
      return {
        setQuestions(ids) {
          connection.wants = ids
          connection.told++
        },
        refresh() {
          connection.refreshed++
        },
        close: () => void connections.delete(connection),
      }
    },
    (view) => views.push(view),
    platform,
  )
  tab.setQuestions(toolCallIds)
  opened.push(tab)
  return { ...tab, views }
}

it('holds one connection for what all tabs want, and tells each what it follows', async () => {
  const browser = fakeBrowser()
  const name = newName()
  const one = openTab(browser.openTab(), name, 'a', 'b')
  const other = openTab(browser.openTab(), name, 'b', 'c')
  await wanted(['a', 'b', 'c'])
  for (const id of ['a', 'b', 'c']) report(viewOf(id))
  await vi.waitFor(() => expect(one.views).toEqual([viewOf('a'), viewOf('b')]))
  await vi.waitFor(() => expect(other.views).toEqual([viewOf('b'), viewOf('c')]))
})

it('passes on who else has a question open', async () => {
  const browser = fakeBrowser()
  const name = newName()
  const one = openTab(browser.openTab(), name, 'a')
  const other = openTab(browser.openTab(), name, 'b')
  await wanted(['a', 'b'])
  const presence = { toolCallId: 'b', people: [{ id: '1', name: 'Ada', isTyping: true }] }
  report(presence)
  await vi.waitFor(() => expect(other.views).toEqual([presence]))
  expect(one.views).toEqual([])
})

it('passes on why the host does not show a question', async () => {
  const browser = fakeBrowser()
  const name = newName()
  const one = openTab(browser.openTab(), name, 'a')
  const other = openTab(browser.openTab(), name, 'b')
  await wanted(['a', 'b'])
  const refusal = { toolCallId: 'b', code: 'FORBIDDEN' as const, message: 'Not yours' }
  report(refusal)
  await vi.waitFor(() => expect(other.views).toEqual([refusal]))
  expect(one.views).toEqual([])
})

it('asks the host again when a tab comes later, or wants something else', async () => {
  const browser = fakeBrowser()
  const name = newName()
  openTab(browser.openTab(), name, 'a')
  await wanted(['a'])
  const [connection] = connections
  const before = connection?.told ?? 0
  const later = openTab(browser.openTab(), name, 'a')
  await vi.waitFor(() => expect(connection?.told).toBeGreaterThan(before))
  later.setQuestions(['d'])
  await wanted(['a', 'd'])
})

it('forgets what a tab wanted that is closed, or gone without a word', async () => {
  const browser = fakeBrowser()
  const name = newName()
  openTab(browser.openTab(), name, 'a')
  await wanted(['a'])
  openTab(browser.openTab(), name, 'b')
  const crashing = browser.openTab()
  openTab(crashing, name, 'c')
  await wanted(['a', 'b', 'c'])
  opened[1]?.close()
  await wanted(['a', 'c'])
  crashing.crash()
  await wanted(['a'])
})

it('hands the lead on when the tab that has it goes', async () => {
  const browser = fakeBrowser()
  const name = newName()
  const first = openTab(browser.openTab(), name, 'a')
  await wanted(['a'])
  const second = openTab(browser.openTab(), name, 'a')
  const third = openTab(browser.openTab(), name, 'b')
  await wanted(['a', 'b'])
  first.close()
  await wanted(['a', 'b'])
  report(viewOf('a'))
  report(viewOf('b'))
  await vi.waitFor(() => expect(second.views).toEqual([viewOf('a')]))
  await vi.waitFor(() => expect(third.views).toEqual([viewOf('b')]))
  expect(first.views).toEqual([])
})

it('gives the lead to the tab that somebody comes back to, with a connection of its own', async () => {
  const browser = fakeBrowser()
  const name = newName()
  const asleep = openTab(browser.openTab(), name, 'a')
  await wanted(['a'])
  const [old] = connections
  const platform = browser.openTab()
  const back = openTab(platform, name, 'b')
  await wanted(['a', 'b'])

  back.refresh()
  expect([...connections]).toEqual([old])
  platform.isLookedAt = true
  back.refresh()
  await vi.waitFor(() => expect([...connections]).not.toContain(old))
  await wanted(['a', 'b'])
  report(viewOf('b'))
  expect(back.views).toEqual([viewOf('b')])
  back.refresh()
  expect([...connections][0]?.refreshed).toBe(1)

  back.close()
  await wanted(['a'])
  report(viewOf('a'))
  expect(asleep.views).toEqual([viewOf('a')])
})

it('never leads for a tab that went before its turn', async () => {
  const browser = fakeBrowser()
  const name = newName()
  openTab(browser.openTab(), name, 'a')
  openTab(browser.openTab(), name, 'b').close()
  await wanted(['a'])
})

it('keeps sources apart', async () => {
  const browser = fakeBrowser()
  openTab(browser.openTab(), newName(), 'a')
  openTab(browser.openTab(), newName(), 'b')
  await wanted(['a'], ['b'])
})

it('follows for each tab where tabs cannot agree', async () => {
  const refusing = {
    ...fakeBrowser().openTab(),
    locks: { request: () => Promise.reject(new DOMException('no', 'SecurityError')) },
  }
  const tabs = [openTab(refusing, 'x', 'a'), openTab({ ...refusing }, 'x', 'a')]
  await wanted(['a'], ['a'])
  report(viewOf('a'))
  for (const { views } of tabs) expect(views).toEqual([viewOf('a')])
})
