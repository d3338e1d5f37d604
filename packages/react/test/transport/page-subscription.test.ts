import type { PresentPerson, QuestionView } from '@sandagent/core/internal'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createHttpTransport, type HttpTransportOptions } from '../../src/index.ts'
import { type AnswerServer, startAnswerServer } from '../answer-server.ts'

let server: AnswerServer
const stops: (() => void)[] = []
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await vi.waitFor(() => expect(server.streams).toBe(0))
  await server.close()
})

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

/** Follows a question as one more hook of the page. */
function follow(toolCallId: string, options: HttpTransportOptions = {}) {
  const seen: { views: QuestionView[]; people?: readonly PresentPerson[] } = { views: [] }
  const transport = createHttpTransport({ answerEndpoint: server.url, ...options })
  const onPeople = (people: readonly PresentPerson[]): void => {
    seen.people = people
  }
  const stop = transport.subscribe?.(toolCallId, (view) => seen.views.push(view), undefined, onPeople)
  const end = stop ?? (() => {})
  stops.push(end)
  return Object.assign(seen, { stop: end })
}
const followed = (...streams: string[][]): Promise<void> =>
  vi.waitFor(() => expect(server.followed.toSorted()).toEqual(streams))

it('follows all questions of a page over one stream, and tells each hook its own', async () => {
  const [a, again, b] = [follow('a'), follow('a'), follow('b')]
  await followed(['a', 'b'])
  server.show(viewOf('a'))
  server.show(viewOf('b'))
  await vi.waitFor(() => expect([a.views, b.views]).toEqual([[viewOf('a')], [viewOf('b')]]))
  expect(again.views).toEqual([viewOf('a')])
  expect(server.follows).toHaveLength(1)
})

it('tells each hook who else has its question open', async () => {
  const a = follow('a')
  const b = follow('b')
  await followed(['a', 'b'])
  server.meet({ toolCallId: 'a', people: [{ id: '1', name: 'Ada', isTyping: true }] })
  await vi.waitFor(() => expect(a.people).toEqual([{ id: '1', name: 'Ada', isTyping: true }]))
  expect(b.people).toBeUndefined()
  expect(a.views).toEqual([])
})

it('sends one id for the browser with every request, and one for the tab where tabs may be different people', async () => {
  const browsers = (): unknown[] => server.queries.map((query) => query.get('browser'))
  follow('a')
  await vi.waitFor(() => expect(server.queries).toHaveLength(1))
  const transport = createHttpTransport({ answerEndpoint: server.url })
  server.onPost = (post) => post.succeed()
  await transport.send({ toolCallId: 'a', questions: [], answers: {}, responses: {}, status: 'pending' })
  const [id] = browsers()
  expect(id).toBeTruthy()
  expect(server.posts[0]?.body.browser).toBe(id)
  follow('b', { headers: { 'x-user': 'Ada' } })
  await vi.waitFor(() => expect(server.queries).toHaveLength(2))
  expect(browsers()[1]).not.toBe(id)
})

it('keeps one stream as questions come and go, and none when there are none', async () => {
  const a = follow('a')
  await followed(['a'])
  const b = follow('b')
  await followed(['a', 'b'])
  a.stop()
  await followed(['b'])
  b.stop()
  await followed()
})

it('opens several where one URL would be too long', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `call-${index + 10}`)
  for (const id of ids) follow(id)
  await followed(ids.slice(0, 50), ids.slice(50))
})

it('gives each question its stream where the host follows one alone', async () => {
  server.followsSeveral = false
  const [a, b] = [follow('a'), follow('b')]
  await followed(['a'], ['b'])
  server.show(viewOf('b'))
  await vi.waitFor(() => expect(b.views).toEqual([viewOf('b')]))
  expect(a.views).toEqual([])
  expect(server.follows).toHaveLength(3)
})

it.each([400, 401, 403])('follows one by one where several are refused with %i', async (status) => {
  const urls: string[] = []
  server.onGet = (request, response) => {
    urls.push(request.url?.replace(/&browser=\w+$/, '') ?? '')
    if (request.url?.includes('toolCallId=theirs')) response.writeHead(status).end()
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`data: ${JSON.stringify(viewOf('mine'))}\n\n`)
  }
  const mine = follow('mine')
  follow('theirs')
  await vi.waitFor(() => expect(mine.views).toEqual([viewOf('mine')]))
  await vi.waitFor(() =>
    expect(urls).toEqual([
      '/api/answer?toolCallId=mine&toolCallId=theirs',
      '/api/answer?toolCallId=mine',
      '/api/answer?toolCallId=theirs',
    ]),
  )
})

it('shares no stream between callers that differ', async () => {
  follow('a', { headers: { authorization: 'ada' } })
  follow('b', { headers: async () => ({ authorization: 'ada' }) })
  follow('c', { headers: { authorization: 'bob' } })
  follow('d', { fetch: (...request) => fetch(...request) })
  await followed(['a', 'b'], ['c'], ['d'])
})

it('asks a function for the headers of each request', async () => {
  let token = 0
  follow('a', { headers: () => ({ authorization: `token ${++token}` }) })
  await followed(['a'])
  const first = server.follows[0]?.authorization
  server.hangUp()
  await vi.waitFor(() => expect(server.follows).toHaveLength(2))
  expect(server.follows[1]?.authorization).not.toBe(first)
})

it.each([
  ['visibilitychange', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['online', () => dispatchEvent(new Event('online'))],
  ['pageshow', () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))],
])('asks again within a second when the page is back, by %s', async (_, comeBack) => {
  const { views } = follow('a')
  await followed(['a'])
  // A connection that slept with the page: nobody told it of its end.
  server.onGet = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(viewOf('a', 7))}\n\n`)
  }
  comeBack()
  await vi.waitFor(() => expect(views).toEqual([viewOf('a', 7)]))
  expect(server.follows).toHaveLength(2)
})

it('leaves no listener behind', async () => {
  const { stop } = follow('a')
  await followed(['a'])
  stop()
  await followed()
  dispatchEvent(new Event('online'))
  follow('b')
  await followed(['b'])
  expect(server.follows).toHaveLength(2)
})
