import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Profiler, StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useAskUserQuestion } from '../src/index.ts'
import { type AnswerServer, startAnswerServer } from './answer-server.ts'
import { FEATURES, LANGUAGE, LICENCE, partAsking, QuestionCard } from './question-card.tsx'

let server: AnswerServer
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(async () => {
  cleanup()
  sessionStorage.clear()
  await server.close()
})

const status = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
const posts = (count: number) => waitFor(() => expect(server.posts).toHaveLength(count))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const checked = (name: string) => screen.getByLabelText<HTMLInputElement>(name).checked

it('never completes a lone multiple choice by itself', async () => {
  render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Tests'))
  await posts(1)
  server.posts[0]?.succeed()
  await status('waiting')
  await userEvent.click(screen.getByLabelText('README, with usage'))
  await posts(2)
  server.posts[1]?.succeed()
  await status('waiting')
  expect(server.posts.map(({ body }) => body.status)).toEqual(['pending', 'pending'])

  await press('Submit')
  await posts(3)
  expect(server.posts[2]?.body).toMatchObject({
    status: 'completed',
    answers: { 'Which features?': 'Tests, "README, with usage"' },
  })
})

it('submits an all-single-choice set with its last pick', async () => {
  render(<QuestionCard part={partAsking(LANGUAGE, LICENCE)} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.succeed()
  await userEvent.click(screen.getByLabelText('MIT'))
  await posts(2)
  expect(server.posts.map(({ body }) => body.status)).toEqual(['pending', 'completed'])
  server.posts[1]?.succeed()
  await status('sent')
})

it('leaves the last pick to be submitted where autoSubmit is off', async () => {
  render(<QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} autoSubmit={false} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  expect(server.posts[0]?.body.status).toBe('pending')
})

it('sends one request at a time, and the latest entries win', async () => {
  render(<QuestionCard part={partAsking(FEATURES, LANGUAGE)} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Tests'))
  await posts(1)
  await userEvent.click(screen.getByLabelText('TypeScript'))
  await userEvent.click(screen.getByLabelText('Python'))
  expect(server.posts).toHaveLength(1)
  server.posts[0]?.reply(500, {})
  await status('failed')
  expect(checked('Python')).toBe(true)

  await press('Try again')
  await posts(2)
  expect(server.posts[1]?.body.responses).toMatchObject({
    q1: { selected: ['Tests'] },
    q2: { selected: ['Python'] },
  })
  server.posts[1]?.succeed()
  await status('waiting')
})

it('shows a refusal, keeps what was entered, and sends it again on retry', async () => {
  render(<QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.reply(403, {
    success: false,
    error: { code: 'FORBIDDEN', message: 'Not yours', faults: [] },
  })
  await status('failed')
  expect(screen.getByRole('alert').textContent).toBe('Not yours')
  expect(checked('Python')).toBe(true)

  await press('Try again')
  await posts(2)
  expect(server.posts[1]?.body).toMatchObject({
    status: 'completed',
    answers: { 'Which language?': 'Python' },
  })
  server.posts[1]?.succeed()
  await status('sent')
  expect(screen.getByRole('alert').textContent).toBe('')
})

it('shows a broken connection as an error, not as an answer sent', async () => {
  render(<QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.drop()
  await status('retrying')
  expect(screen.getByRole('alert').textContent).toBe('The answer API cannot be reached')
})

it('says what is missing, and declines only when asked to', async () => {
  render(<QuestionCard part={partAsking(LANGUAGE, FEATURES)} answerEndpoint={server.url} />)
  await press('Submit')
  expect(screen.getByRole('alert').textContent).toContain('Which language?')
  expect(server.posts).toEqual([])
  await press('Decline')
  await posts(1)
  expect(server.posts[0]?.body.status).toBe('declined')
})

it('shows who was faster', async () => {
  const part = partAsking(LANGUAGE)
  render(<QuestionCard part={part} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.reply(409, {
    success: false,
    error: { code: 'CONFLICT', message: 'Somebody answered already', faults: [] },
    question: view(part.toolCallId, { state: 'sent', answeredBy: 'ada', selected: 'TypeScript' }),
  })
  await status('superseded')
  expect(screen.getByTestId('by').textContent).toBe('ada')
  expect([checked('TypeScript'), checked('Python')]).toEqual([true, false])
})

it('shows as received only what the host saw the agent take', async () => {
  const part = partAsking(LANGUAGE)
  render(<QuestionCard part={part} answerEndpoint={server.url} />)
  await waitFor(() => expect(server.streams).toBe(1))
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.succeed(1)
  await status('sent')
  server.show(view(part.toolCallId, { state: 'answered', selected: 'Python' }))
  await status('received')
  await waitFor(() => expect(server.streams).toBe(0))
})

it('shows what the agent got, not what was picked here', async () => {
  const part = partAsking(LANGUAGE, LICENCE)
  const { rerender } = render(<QuestionCard part={part} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Python'))
  const output = { questions: [LANGUAGE, LICENCE], answers: { 'Which language?': 'TypeScript' } }
  rerender(<QuestionCard part={{ ...part, state: 'output-available', output }} answerEndpoint={server.url} />)
  await status('received')
  expect([checked('TypeScript'), checked('Python')]).toEqual([true, false])
  expect(JSON.parse(screen.getByTestId('answers').textContent ?? '')).toEqual({
    'Which language?': 'TypeScript',
  })
})

it('stands parts, options and callbacks that are new at every render', async () => {
  const part = partAsking(FEATURES)
  const commits = vi.fn()
  const card = (n: number) => (
    <Profiler id="card" onRender={commits}>
      <QuestionCard
        part={structuredClone(part)}
        answerEndpoint={server.url}
        extraBody={{ n }}
        headers={{ 'x-n': `${n}` }}
        onAnswer={() => {}}
      />
    </Profiler>
  )
  const { rerender } = render(card(1))
  rerender(card(2))
  rerender(card(3))
  expect(commits).toHaveBeenCalledTimes(3)
  await waitFor(() => expect(server.follows).toHaveLength(1))
  await userEvent.click(screen.getByLabelText('Tests'))
  await posts(1)
  expect(server.posts[0]).toMatchObject({ body: { n: 3 }, headers: { 'x-n': '3' } })
})

it('starts again when it gets another tool call', async () => {
  const { rerender } = render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
  await userEvent.click(screen.getByLabelText('Tests'))
  rerender(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
  expect(checked('Tests')).toBe(false)
  await waitFor(() => expect(server.streams).toBe(1))
})

it('follows once and sends once under StrictMode', async () => {
  render(
    <StrictMode>
      <QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} />
    </StrictMode>,
  )
  await waitFor(() => expect(server.streams).toBe(1))
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.succeed()
  await status('sent')
  expect(server.posts).toHaveLength(1)
})

it('saves what was just typed when it is taken off the page, and leaves no request open', async () => {
  const { unmount } = render(<QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} />)
  await waitFor(() => expect(server.streams).toBe(1))
  fireEvent.change(screen.getByLabelText('Own answer: Which language?'), { target: { value: 'Zig' } })
  unmount()
  await posts(1)
  expect(server.posts[0]?.body).toMatchObject({ status: 'pending', responses: { q1: { freeText: 'Zig' } } })
  server.posts[0]?.succeed()
  await waitFor(() => expect(server.streams).toBe(0))
})

it('follows no question that has ended', async () => {
  const part = { ...partAsking(LANGUAGE), state: 'output-available', output: { answers: {} } }
  render(<QuestionCard part={part} answerEndpoint={server.url} />)
  await status('received')
  expect(server.follows).toEqual([])
})

it('tells of every stored answer', async () => {
  const onAnswer = vi.fn()
  render(<QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} onAnswer={onAnswer} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  expect(onAnswer).not.toHaveBeenCalled()
  server.posts[0]?.succeed()
  await status('sent')
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ answers: { 'Which language?': 'Python' }, status: 'completed' }),
  )
})

it('speaks to a transport of its own', async () => {
  const send = vi.fn(async () => ({}))
  render(<QuestionCard part={partAsking(LANGUAGE)} transport={{ send }} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await status('sent')
  expect(send).toHaveBeenCalledOnce()
})

it('picks without submitting where that is asked for, as arrow keys need it', async () => {
  const part = partAsking(LANGUAGE)
  const { result } = renderHook(() => useAskUserQuestion({ part, answerEndpoint: server.url }))
  act(() => result.current.selectAnswer('Which language?', 'Python', false, { autoSubmit: false }))
  await posts(1)
  expect(server.posts[0]?.body.status).toBe('pending')
})

it('tells where each question stands, and what submit misses', async () => {
  const part = partAsking(LANGUAGE, FEATURES)
  const { result } = renderHook(() => useAskUserQuestion({ part, answerEndpoint: server.url }))
  expect(result.current).toMatchObject({ isEditable: true, unanswered: ['q1', 'q2'], missing: [] })
  act(() => result.current.submit())
  expect(result.current.missing).toEqual(['q1', 'q2'])
  act(() => result.current.selectAnswer('Which language?', 'Python'))
  expect(result.current.missing).toEqual(['q2'])
  const asked = ['Which language?', 'q2', 'Which weather?']
  expect(asked.map(result.current.stateOf)).toEqual(['answered', 'invalid', 'empty'])
})

const typeInto = (text: string) => userEvent.type(screen.getByLabelText('Own answer: Which features?'), text)
const typedIn = () => screen.getByLabelText<HTMLInputElement>('Own answer: Which features?').value
const comeAndGo = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
  vi.restoreAllMocks()
}

describe('what was typed', () => {
  it('survives a reload without any answer of the host, and is forgotten once it is sent', async () => {
    const card = <QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />
    const before = render(card)
    await typeInto('a logo')
    const kept = { ...sessionStorage }
    before.unmount()
    sessionStorage.clear()
    for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value)

    render(card)
    await waitFor(() => expect(typedIn()).toBe('a logo'))
    await press('Submit')
    await waitFor(() => expect(server.posts.at(-1)?.body.status).toBe('completed'))
    server.posts.at(-1)?.succeed()
    await status('sent')
    expect(sessionStorage).toHaveLength(0)
  })

  it('is saved at once when the page goes out of sight', async () => {
    render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
    fireEvent.change(screen.getByLabelText('Own answer: Which features?'), { target: { value: 'a logo' } })
    act(() => comeAndGo('hidden'))
    await posts(1)
    expect(server.posts[0]?.body).toMatchObject({
      status: 'pending',
      responses: { q1: { freeText: 'a logo' } },
    })
  })

  const restore = (kept: Record<string, string>) => {
    for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value)
  }

  it.each([401, 403])('is kept for nobody once the host says %i, and stays on the page', async (code) => {
    server.onPost = ({ reply }) => reply(code, { error: 'no' })
    render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
    await typeInto('a logo')
    await status('failed')
    expect(sessionStorage).toHaveLength(0)
    await typeInto(', please')
    expect(sessionStorage).toHaveLength(0)
    expect(typedIn()).toBe('a logo, please')
    server.onPost = ({ succeed }) => succeed()
    await press('Try again')
    await typeInto('!')
    await waitFor(() => expect(sessionStorage).toHaveLength(1))
  })

  it.each<[string, number, (toolCallId: string) => string]>([
    ['to follow it: 401', 401, () => ''],
    ['to follow it: 403', 403, () => ''],
    [
      'to see it among others',
      200,
      (id) =>
        `event: following\ndata: {"following":[],"refused":[{"toolCallId":"${id}","code":"FORBIDDEN"}]}\n\n`,
    ],
  ])('by somebody before is neither kept nor shown where the host refuses %s', async (_, code, body) => {
    const part = partAsking(FEATURES)
    const before = render(<QuestionCard part={part} answerEndpoint={server.url} />)
    await typeInto('a logo')
    await waitFor(() => expect(server.streams).toBe(1))
    const kept = { ...sessionStorage }
    before.unmount()
    restore(kept)

    let refuse = () => {}
    server.onGet = (_, response) => {
      refuse = () =>
        response.writeHead(code, { 'content-type': 'text/event-stream' }).write(body(part.toolCallId))
      if (code !== 200) refuse = () => response.writeHead(code).end()
    }
    render(<QuestionCard part={part} answerEndpoint={server.url} />)
    await waitFor(() => expect(typedIn()).toBe('a logo'))
    await waitFor(() => expect(refuse.length + server.follows.length).toBeGreaterThan(1))
    refuse()
    await waitFor(() => expect(typedIn()).toBe(''))
    expect(sessionStorage).toHaveLength(0)
  })

  it('is shown to nobody else who signs in in the same tab, and to the same person again', async () => {
    const part = partAsking(FEATURES)
    const cardOf = (userId: string) => (
      <QuestionCard part={part} answerEndpoint={server.url} userId={userId} />
    )
    const page = render(cardOf('ada'))
    await typeInto('a secret')
    const kept = { ...sessionStorage }
    page.rerender(cardOf('bob'))
    await waitFor(() => expect(typedIn()).toBe(''))
    restore(kept)
    page.rerender(cardOf('ada'))
    await waitFor(() => expect(typedIn()).toBe('a secret'))
  })

  it('needs no storage', async () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(refuse)
    server.onPost = ({ succeed }) => succeed()
    render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
    await typeInto('a logo')
    await press('Submit')
    await waitFor(() => expect(server.posts.at(-1)?.body.status).toBe('completed'))
    vi.restoreAllMocks()
  })
})

function view(
  toolCallId: string,
  { state, selected, answeredBy }: { state: 'sent' | 'answered'; selected: string; answeredBy?: string },
) {
  return {
    toolCallId,
    kind: 'question' as const,
    state,
    questions: [{ ...LANGUAGE, id: 'q1' }],
    responses: { q1: { selected: [selected], source: 'human' as const } },
    revision: 2,
    declined: false,
    deadline: null,
    remainingMs: null,
    ...(answeredBy !== undefined && { answeredBy }),
  }
}
