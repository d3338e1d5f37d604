import type { QuestionView } from '@sandagent/core/internal'
import { cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type UseOpenQuestionsOptions, useOpenQuestions } from '../src/index.ts'
import { type AnswerServer, startAnswerServer } from './answer-server.ts'

let server: AnswerServer
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(async () => {
  cleanup()
  await waitFor(() => expect(server.streams).toBe(0))
  await server.close()
})

const viewOf = (toolCallId: string, more: Partial<QuestionView> = {}): QuestionView => ({
  toolCallId,
  kind: 'question',
  state: 'open',
  questions: [{ id: 'q1', question: `${toolCallId}?` }],
  askedAt: '2026-01-01T00:00:00.000Z',
  responses: {},
  revision: 0,
  declined: false,
  deadline: null,
  remainingMs: null,
  ...more,
})

/** A page that lists what waits. All that it ever showed is kept. */
const follow = (options: UseOpenQuestionsOptions = {}) => {
  const shown: string[] = []
  const use = ({ endpoint }: { endpoint: string }) => {
    const { questions, isLoading, error } = useOpenQuestions(endpoint, options)
    const line = error?.code ?? (isLoading ? 'loading' : '')
    const text = [line, ...questions.map(({ toolCallId }) => toolCallId)].join(' ').trim()
    if (shown.at(-1) !== text) shown.push(text)
    return questions
  }
  const { result, rerender } = renderHook(use, {
    initialProps: { endpoint: server.url },
    wrapper: StrictMode,
  })
  const shows = (text: string): Promise<void> => waitFor(() => expect(shown.at(-1)).toBe(text))
  return { shown, shows, result, rerender }
}

const Page = () => <p>{useOpenQuestions().isLoading ? 'One moment' : 'Ready'}</p>

const List = () =>
  useOpenQuestions(server.url).questions.map(({ toolCallId }) => (
    <input key={toolCallId} aria-label={toolCallId} />
  ))

it('shows what waits, oldest first, as it comes, changes and goes', async () => {
  server.waiting = [viewOf('b'), viewOf('c', { askedAt: '2026-01-03T00:00:00.000Z' })]
  const { shown, shows, result } = follow()
  await shows('b c')
  expect(shown).toEqual(['loading', 'b c'])
  server.show(viewOf('a'))
  server.show(viewOf('d', { askedAt: '2026-01-02T00:00:00.000Z', kind: 'approval' }))
  await shows('a b d c')
  server.show(viewOf('b', { revision: 1 }))
  await waitFor(() => expect(result.current[1]?.revision).toBe(1))
  expect(result.current[2]).toMatchObject({ kind: 'approval', questions: [{ question: 'd?' }] })
  server.show(viewOf('a', { state: 'sent' }))
  server.show(viewOf('c', { state: 'timed-out' }))
  await shows('b d')
  server.show(viewOf('a'))
  await shows('a b d')
})

it('keeps what it shows while it connects again, and takes the new list in one step', async () => {
  server.waiting = [viewOf('a'), viewOf('b')]
  const { shown, shows } = follow()
  await shows('a b')
  server.waiting = [viewOf('b'), viewOf('c')]
  server.hangUp()
  await shows('b c')
  server.waiting = []
  server.list()
  await shows('')
  expect(shown).toEqual(['loading', 'a b', 'b c', ''])
})

it('has one stream for all uses of a page, and one for each API', async () => {
  server.waiting = [viewOf('a')]
  const one = follow()
  await one.shows('a')
  const other = follow()
  await other.shows('a')
  expect(server.streams).toBe(1)
  const named = follow({ headers: { 'x-user': 'ada' } })
  await named.shows('a')
  expect(server.streams).toBe(2)
  server.show(viewOf('b'))
  for (const { shows } of [one, other, named]) await shows('a b')
  expect(server.queries.map((query) => query.get('toolCallId'))).toEqual([null, null, null])
})

it('drops the questions of another API at once', async () => {
  server.waiting = [viewOf('a')]
  const { shown, shows, rerender } = follow()
  await shows('a')
  server.waiting = [viewOf('b')]
  rerender({ endpoint: `${server.url}?team=2` })
  await shows('b')
  expect(shown).toEqual(['loading', 'a', 'loading', 'b'])
  expect(server.queries.at(-1)?.get('team')).toBe('2')
})

it('lets the person sign in, and shows what waits then', async () => {
  server.waiting = [viewOf('a')]
  server.onGet = (_, response) => void response.writeHead(401).end()
  const onUnauthorized = vi.fn(() => {
    server.onGet = undefined
    return true
  })
  const { shown, shows } = follow({ onUnauthorized })
  await shows('a')
  expect(onUnauthorized).toHaveBeenCalledOnce()
  expect(shown).toEqual(['loading', 'a'])
})

it.each([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
])('shows nothing of what waits, and says why, once the host replies with %i', async (status, code) => {
  server.waiting = [viewOf('a')]
  const { shows } = follow()
  await shows('a')
  server.onGet = (_, response) => void response.writeHead(status).end()
  server.hangUp()
  await shows(code)
  // The page is looked at again, after a sign-in in another tab.
  server.onGet = undefined
  dispatchEvent(new Event('online'))
  await shows('a')
})

it('keeps what it shows while the host cannot be reached, says so, and goes on by itself', async () => {
  server.waiting = [viewOf('a')]
  const { shows } = follow()
  await shows('a')
  let isGone = true
  server.onGet = (_, response) => {
    if (isGone) response.destroy()
    else response.writeHead(503).end()
  }
  server.hangUp()
  await shows('UNREACHABLE a')
  isGone = false
  await waitFor(() => expect(server.follows.length).toBeGreaterThan(3), { timeout: 5_000 })
  server.onGet = undefined
  await waitFor(() => shows('a'), { timeout: 10_000 })
})

it('renders on a server, where nothing is known yet', () => {
  expect(renderToString(<Page />)).toBe('<p>One moment</p>')
  expect(server.follows).toEqual([])
})

it('ignores what is no question', async () => {
  server.onGet = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: list\ndata: {"questions":"none"}\n\ndata: {"toolCallId":"a"}\n\n')
    response.write(`event: list\ndata: {"questions":[null,${JSON.stringify(viewOf('b'))}]}\n\n`)
  }
  const { shown, shows } = follow()
  await shows('b')
  expect(shown).toEqual(['loading', 'b'])
  server.hangUp()
})

it('keeps the form of each question while others come and go', async () => {
  server.waiting = [viewOf('b')]
  render(<List />)
  const field = await screen.findByLabelText<HTMLInputElement>('b')
  field.value = 'half a word'
  server.show(viewOf('a'))
  await screen.findByLabelText('a')
  server.show(viewOf('a', { state: 'answered' }))
  await waitFor(() => expect(screen.queryByLabelText('a')).toBeNull())
  expect(screen.getByLabelText('b')).toBe(field)
})
