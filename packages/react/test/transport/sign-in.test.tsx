import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type AnswerServer, startAnswerServer } from '../answer-server.ts'
import { FEATURES, LANGUAGE, partAsking, QuestionCard } from '../question-card.tsx'

let server: AnswerServer
/** Whether the person is signed in, as the host sees it. */
let isSignedIn: boolean
beforeEach(async () => {
  server = await startAnswerServer()
  isSignedIn = false
  server.onPost = ({ reply, succeed }) => (isSignedIn ? succeed() : reply(401, {}))
})
afterEach(async () => {
  cleanup()
  sessionStorage.clear()
  await server.close()
})

const status = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))

it('lets the person sign in, and sends the answer once more', async () => {
  const onUnauthorized = vi.fn(async () => {
    isSignedIn = true
    return true
  })
  render(
    <QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} onUnauthorized={onUnauthorized} />,
  )
  await userEvent.click(screen.getByLabelText('Python'))
  await status('sent')
  expect(onUnauthorized).toHaveBeenCalledOnce()
  expect(server.posts.map(({ body }) => body.status)).toEqual(['completed', 'completed'])
})

it.each(['Try again', 'Submit'])(
  'keeps what was entered when nobody signs in, says so, and sends it by %s',
  async (button) => {
    const onUnauthorized = vi.fn(() => false)
    render(
      <QuestionCard
        part={partAsking(FEATURES)}
        answerEndpoint={server.url}
        onUnauthorized={onUnauthorized}
      />,
    )
    await userEvent.type(screen.getByLabelText('Own answer: Which features?'), 'a logo')
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    await status('retrying')
    expect(screen.getByTestId('unauthorized').textContent).toBe('true')
    expect(screen.getByLabelText<HTMLInputElement>('Own answer: Which features?').value).toBe('a logo')

    isSignedIn = true
    await userEvent.click(screen.getByRole('button', { name: button }))
    await status('sent')
    expect(screen.getByTestId('unauthorized').textContent).toBe('false')
    expect(server.posts.at(-1)?.body.responses).toMatchObject({ q1: { freeText: 'a logo' } })
  },
)

it('asks once for all questions of a page, and once more only after that', async () => {
  let signIn = (_done: boolean): void => {}
  const onUnauthorized = vi.fn(
    () =>
      new Promise<boolean>((resolve) => {
        signIn = resolve
      }),
  )
  const cards = [partAsking(LANGUAGE), partAsking(LANGUAGE)].map((part) => (
    <QuestionCard key={part.toolCallId} {...{ part, onUnauthorized }} answerEndpoint={server.url} />
  ))
  render(cards)
  for (const option of screen.getAllByLabelText('Python')) await userEvent.click(option)
  await waitFor(() => expect(server.posts).toHaveLength(2))
  await waitFor(() => expect(onUnauthorized).toHaveBeenCalled())
  isSignedIn = true
  signIn(true)
  await waitFor(() =>
    expect(screen.getAllByRole('status').map((line) => line.textContent)).toEqual(['sent', 'sent']),
  )
  expect(onUnauthorized).toHaveBeenCalledOnce()
})

it('sends a request again at once that is refused after somebody signed in', async () => {
  const onUnauthorized = vi.fn(async () => true)
  server.onPost = undefined
  const cards = [partAsking(LANGUAGE), partAsking(LANGUAGE)].map((part) => (
    <QuestionCard key={part.toolCallId} {...{ part, onUnauthorized }} answerEndpoint={server.url} />
  ))
  render(cards)
  for (const option of screen.getAllByLabelText('Python')) await userEvent.click(option)
  await waitFor(() => expect(server.posts).toHaveLength(2))
  server.onPost = ({ succeed }) => succeed()
  const [first, second] = server.posts
  const statuses = () => screen.getAllByRole('status').map((line) => line.textContent)
  first?.reply(401, {})
  await waitFor(() => expect(statuses()).toContain('sent'))
  second?.reply(401, {})
  await waitFor(() => expect(statuses()).toEqual(['sent', 'sent']))
  expect(onUnauthorized).toHaveBeenCalledOnce()
})

const fault = new Error('no popups here')

it.each([
  [
    'at once',
    () => {
      throw fault
    },
  ],
  ['later', async () => Promise.reject(fault)],
])(
  'takes a sign-in that fails %s for none: says so, tells the page of it, and asks once',
  async (_, fail) => {
    server.onGet = (_, response) => void response.writeHead(401).end()
    const told = vi.fn()
    vi.stubGlobal('reportError', told)
    onTestFinished(() => void vi.unstubAllGlobals())
    const onUnauthorized = vi.fn<() => Promise<boolean>>(fail)
    render(
      <QuestionCard
        part={partAsking(FEATURES)}
        answerEndpoint={server.url}
        onUnauthorized={onUnauthorized}
      />,
    )
    await waitFor(() => expect(told).toHaveBeenCalledExactlyOnceWith(fault))
    await userEvent.click(screen.getByLabelText('Tests'))
    await status('failed')
    expect(screen.getByTestId('unauthorized').textContent).toBe('true')
    expect(told).toHaveBeenCalledTimes(2)
    expect(onUnauthorized).toHaveBeenCalledTimes(2)
  },
)

it('follows the question once somebody has signed in', async () => {
  server.onGet = (_, response) => void response.writeHead(401).end()
  const onUnauthorized = vi.fn(() => {
    server.onGet = undefined
    return true
  })
  render(
    <QuestionCard part={partAsking(LANGUAGE)} answerEndpoint={server.url} onUnauthorized={onUnauthorized} />,
  )
  await waitFor(() => expect(server.streams).toBe(1))
  expect(onUnauthorized).toHaveBeenCalledOnce()
})
