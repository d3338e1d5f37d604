import {
  type AnswerTransport,
  type AskSession,
  type ConnectedSession,
  connectToHost,
  createAskSession,
  type DraftKeeper,
  type HostConnection,
  readQuestions,
  type Submission,
} from '@sandagent/core/internal'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lazyLink } from '../../src/transport/lazy-link.ts'
import { FEATURES, LANGUAGE, partAsking } from '../question-card.tsx'

/** A session whose link to the host comes when the test says so, or fails to. */
function openSession({ kept }: { kept?: object } = {}) {
  const part = partAsking(LANGUAGE, FEATURES)
  const requests: Submission[] = []
  const following = new Set<string>()
  const transport: AnswerTransport = {
    async send(submission) {
      requests.push(submission)
      return { revision: requests.length }
    },
    watch(toolCallId) {
      following.add(toolCallId)
      return () => following.delete(toolCallId)
    },
  }
  const asked = JSON.stringify(readQuestions(part.input))
  const drafts: DraftKeeper = { read: () => kept && { asked, revision: 1, ...kept }, write: vi.fn() }
  const loads: { come(): void; fail(): void }[] = []
  const load = (): Promise<(session: ConnectedSession) => HostConnection> =>
    new Promise((resolve, reject) => {
      loads.push({
        come: () => resolve(connectToHost({ transport, drafts })),
        fail: () => reject(new TypeError('Failed to fetch dynamically imported module')),
      })
    })
  const session = createAskSession({ part, link: (linked) => lazyLink(linked, load, drafts) })
  return { session, requests, following, loads, write: drafts.write, toolCallId: part.toolCallId }
}

const status = (session: AskSession, text: string) =>
  vi.waitFor(() => expect(session.getSnapshot().status).toBe(text))

it('counts what is entered before it is there, and then stores the latest of it at once', async () => {
  const { session, requests, following, loads, toolCallId } = openSession()
  session.start()
  session.select('q1', 'TypeScript')
  session.select('q1', 'Python')
  session.select('q2', 'Tests')
  expect(session.getSnapshot()).toMatchObject({
    status: 'saving',
    responses: { q1: { selected: ['Python'] } },
  })
  expect(requests).toEqual([])
  for (const { come } of loads) come()
  await status(session, 'waiting')
  expect(requests.map(({ responses }) => responses)).toEqual([session.getSnapshot().entered])
  expect([...following]).toEqual([toolCallId])
})

it('goes on from what was entered before a reload, beside what is entered before it is there', async () => {
  const draft = {
    q1: { selected: ['TypeScript'], source: 'human' },
    q2: { selected: ['Tests'], source: 'human' },
  }
  const { session, requests, loads } = openSession({ kept: { draft } })
  session.start()
  session.select('q1', 'Python')
  for (const { come } of loads) come()
  await status(session, 'waiting')
  expect(requests[0]?.responses).toMatchObject({ q1: { selected: ['Python'] }, q2: { selected: ['Tests'] } })
})

it('keeps what is entered for the next page where it does not come to this one, beside what is kept already', () => {
  const q2 = { selected: ['Tests'], source: 'human' }
  const { session, write } = openSession({ kept: { draft: { q2 } } })
  session.start()
  session.setFreeText('q1', 'Zig')
  const q1 = { selected: [], freeText: 'Zig', source: 'human' }
  expect(write).toHaveBeenLastCalledWith(
    expect.objectContaining({ draft: { q1, q2 }, revision: 1, dirty: true }),
  )
})

it('keeps what is entered beside nothing of other questions', () => {
  const { session, write } = openSession({ kept: { asked: '[]', draft: { q2: { skipped: true } } } })
  session.start()
  session.setFreeText('q1', 'Zig')
  expect(write).toHaveBeenLastCalledWith({
    asked: JSON.stringify(session.getSnapshot().questions),
    draft: { q1: { selected: [], freeText: 'Zig', source: 'human' } },
    revision: 0,
    sent: {},
    dirty: true,
  })
})

it('is a failure where it cannot be loaded, and loads with the next try, which stores and follows', async () => {
  const { session, requests, following, loads } = openSession()
  session.start()
  loads[0]?.fail()
  session.select('q1', 'Python')
  loads[1]?.fail()
  await status(session, 'failed')
  expect(session.getSnapshot()).toMatchObject({
    isEditable: true,
    error: { code: 'UNREACHABLE' },
    responses: { q1: { selected: ['Python'] } },
  })
  session.retry()
  expect(session.getSnapshot().status).toBe('saving')
  loads[2]?.come()
  await status(session, 'waiting')
  expect(requests).toHaveLength(1)
  expect(following.size).toBe(1)
})

it('shows no failure as long as nothing is to be stored', async () => {
  const { session, loads } = openSession()
  session.start()
  loads[0]?.fail()
  await new Promise((resolve) => setTimeout(resolve))
  expect(session.getSnapshot()).toMatchObject({ status: 'waiting', error: null })
})

it('follows later where it could not be loaded at first, unless the question has left the page', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { session, following, loads } = openSession()
  const stop = session.start()
  loads[0]?.fail()
  await vi.advanceTimersByTimeAsync(5_000)
  loads[1]?.come()
  await vi.advanceTimersByTimeAsync(0)
  expect(following.size).toBe(1)
  stop()

  const gone = openSession()
  const leave = gone.session.start()
  gone.loads[0]?.fail()
  await vi.advanceTimersByTimeAsync(0)
  leave()
  expect(vi.getTimerCount()).toBe(0)
})

it('stores what was entered also for a question that has left the page, and follows it no more', async () => {
  const { session, requests, following, loads } = openSession()
  const stop = session.start()
  session.setFreeText('q1', 'Zig')
  stop()
  for (const { come } of loads) come()
  await vi.waitFor(() => expect(requests).toMatchObject([{ responses: { q1: { freeText: 'Zig' } } }]))
  expect(following.size).toBe(0)
})

it('follows once when it is started again before it is there', async () => {
  const { session, following, loads, write } = openSession()
  const stops = [session.start()]
  stops.pop()?.()
  stops.push(session.start())
  for (const { come } of loads) come()
  await vi.waitFor(() => expect(following.size).toBe(1))
  stops.pop()?.()
  expect(following.size).toBe(0)
  expect(write).not.toHaveBeenCalled()
})
