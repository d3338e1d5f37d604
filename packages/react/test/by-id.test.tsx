import type { QuestionView } from '@sandagent/core/internal'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, expectTypeOf, it, vi } from 'vitest'
import {
  AskUserQuestion,
  type AskUserQuestionProps,
  ToolApproval,
  type UseAskUserQuestionOptions,
} from '../src/index.ts'
import { type AnswerServer, startAnswerServer } from './answer-server.ts'
import { FEATURES, LANGUAGE, partAsking, QuestionCard } from './question-card.tsx'

let server: AnswerServer
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(() => server.close())

const ID = 'call-without-a-chat'

const viewOf = (view: Partial<QuestionView> = {}): QuestionView => ({
  toolCallId: ID,
  kind: 'question',
  state: 'open',
  questions: [{ ...LANGUAGE, id: 'q1' }],
  responses: {},
  revision: 0,
  declined: false,
  deadline: null,
  remainingMs: null,
  ...view,
})
const APPROVAL: Partial<QuestionView> = {
  kind: 'approval',
  subject: { toolName: 'Bash', input: { command: 'npm publish' } },
  questions: [
    {
      id: 'permission',
      question: 'Publish?',
      options: [
        { label: 'Allow once', value: 'allowOnce' },
        { label: 'Deny', value: 'deny' },
      ],
      allowFreeText: false,
    },
  ],
}

const follows = () => waitFor(() => expect(server.streams).toBe(1))
const show = async (view: Partial<QuestionView> = {}) => {
  await follows()
  server.show(viewOf(view))
}
const closed = () => waitFor(() => expect(server.streams).toBe(0))
const status = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
const said = (text: string | RegExp) =>
  waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text))
const posts = (count: number) => waitFor(() => expect(server.posts).toHaveLength(count))
const card = (toolCallId = ID) => <QuestionCard toolCallId={toolCallId} answerEndpoint={server.url} />

/** The host tells why it does not show the question. */
const refuse = (code: string, message: string) => {
  server.onGet = (_, response) => {
    const refused = [{ toolCallId: ID, code, message }]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: following\ndata: ${JSON.stringify({ following: [ID], refused })}\n\n`)
    tell = (view) => response.write(`data: ${JSON.stringify(viewOf(view))}\n\n`)
  }
}
let tell = (_view: Partial<QuestionView>): unknown => undefined

it('takes the part of a message, or the id of a call, and not both', () => {
  type Options = UseAskUserQuestionOptions
  expectTypeOf<{ toolCallId: string }>().toExtend<Options>()
  expectTypeOf<{ part: ReturnType<typeof partAsking> }>().toExtend<Options>()
  expectTypeOf<{ answerEndpoint: string }>().not.toExtend<Options>()
  expectTypeOf<{ toolCallId: string; part: ReturnType<typeof partAsking> }>().not.toExtend<Options>()
  expectTypeOf<{
    toolCallId: string
    part: ReturnType<typeof partAsking>
  }>().not.toExtend<AskUserQuestionProps>()
})

it('is loading until the host says what is asked, and is answered like any other question', async () => {
  render(card())
  expect(screen.getByRole('status').textContent).toBe('loading')
  await show()
  await status('waiting')
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  expect(server.posts[0]?.body).toMatchObject({
    toolCallId: ID,
    status: 'completed',
    answers: { 'Which language?': 'Python' },
  })
  server.posts[0]?.succeed()
  await status('sent')
  await show({ state: 'answered', revision: 1 })
  await status('received')
})

it('says that nobody has asked the question, and shows it once somebody does', async () => {
  refuse('NOT_FOUND', 'Nobody has asked this question yet')
  render(card())
  await said('Nobody has asked this question yet')
  await status('loading')
  tell({})
  await status('waiting')
  await said('')
})

it.each([
  [404, { error: { code: 'NOT_FOUND', message: 'No such question' } }, 'No such question'],
  [403, { error: { code: 'FORBIDDEN', message: 'Not yours' } }, 'Not yours'],
  [410, { error: { code: 'LINK_USED', message: 'This link is used' } }, 'This link is used'],
  [502, '<html>', 'The answer API replied with 502'],
  [404, '<html>', 'The answer API replied with 404'],
])('says why the host does not show it: %i %j', async (code, body, message) => {
  server.onGet = (_, response) => void response.writeHead(code).end(JSON.stringify(body))
  render(card())
  await said(message)
  await status('loading')
})

it('says that the answer API cannot be reached, and shows the question once it can', async () => {
  let isDown = true
  const reach: typeof fetch = async (...request) => {
    if (isDown) throw new TypeError('fetch failed')
    return fetch(...request)
  }
  render(<QuestionCard toolCallId={ID} answerEndpoint={server.url} fetch={reach} />)
  await said('The answer API cannot be reached')
  isDown = false
  await show()
  await status('waiting')
})

it('says that a page is no answer API', async () => {
  vi.spyOn(console, 'warn').mockImplementationOnce(() => {})
  server.onGet = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  render(card())
  await said('The answer API replied with 200')
})

it('lets the person sign in first', async () => {
  server.onGet = (_, response) => void response.writeHead(401).end()
  const { rerender } = render(card())
  await waitFor(() => expect(screen.getByTestId('unauthorized').textContent).toBe('true'))
  const onUnauthorized = () => {
    server.onGet = undefined
    return true
  }
  rerender(<QuestionCard key="again" toolCallId={ID} answerEndpoint={server.url} {...{ onUnauthorized }} />)
  await show()
  await status('waiting')
  expect(screen.getByTestId('unauthorized').textContent).toBe('false')
})

it('shows another question for another id', async () => {
  const { rerender } = render(card())
  await show()
  await status('waiting')
  rerender(card('another'))
  await status('loading')
  await follows()
  await waitFor(() => expect(server.followed).toEqual([['another']]))
  server.show(viewOf({ toolCallId: 'another', questions: [{ ...FEATURES, id: 'q1' }] }))
  await status('waiting')
  expect(screen.getByRole('group').textContent).toContain('Which features?')
})

it('takes the message when there is one', async () => {
  const part = partAsking(FEATURES)
  const { rerender } = render(card(part.toolCallId))
  await status('loading')
  rerender(<QuestionCard part={part} answerEndpoint={server.url} />)
  await status('waiting')
})

/** Loads the page again: what the tab keeps is all that is left. What the page sends at its end is lost. */
const reload = async (unmount: () => void) => {
  const kept = { ...sessionStorage }
  const lost = new Promise<void>((resolve) => {
    server.onPost = ({ drop }) => {
      drop()
      resolve()
    }
  })
  unmount()
  await Promise.all([lost, closed()])
  server.onPost = undefined
  for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value)
  server.posts.length = 0
}

it('sends an answer again after a reload, once the host says what is asked', async () => {
  const { unmount } = render(card())
  const askedAt = new Date(0).toISOString()
  await show({ askedAt })
  await status('waiting')
  await userEvent.click(screen.getByLabelText('Python'))
  await posts(1)
  server.posts[0]?.drop()
  await status('retrying')

  await reload(unmount)
  render(card())
  await follows()
  await status('loading')
  expect(server.posts).toEqual([])
  server.show(viewOf({ askedAt }))
  await posts(1)
  expect(server.posts[0]?.body).toMatchObject({
    status: 'completed',
    responses: { q1: { selected: ['Python'] } },
  })
})

it.each([
  ['keeps a draft over a reload', 'first', 'Zig'],
  ['drops a draft if the id was asked again meanwhile', 'second', ''],
])('%s', async (_, askedAt, typed) => {
  const field = () => screen.getByLabelText<HTMLInputElement>('Own answer: Which language?')
  const { unmount } = render(card())
  await show({ askedAt: 'first' })
  await status('waiting')
  await userEvent.type(field(), 'Zig')
  await reload(unmount)
  render(card())
  await show({ askedAt })
  await waitFor(() => expect(field().value).toBe(typed))
})

it('is a form that says what it waits for', async () => {
  refuse('NOT_FOUND', 'Nobody has asked this question yet')
  render(<AskUserQuestion toolCallId={ID} answerEndpoint={server.url} />)
  await status('Looking for the question…')
  await status('Nobody has asked this question yet')
  expect(screen.queryByRole('button')).toBeNull()
  tell({})
  await status('The agent waits for you')
  expect(screen.getByRole('radiogroup', { name: 'Which language?' })).toBeTruthy()
})

it('is a form that asks to sign in', async () => {
  server.onGet = (_, response) => void response.writeHead(401).end()
  render(<AskUserQuestion toolCallId={ID} answerEndpoint={server.url} />)
  await status('Sign in to see the question')
})

it('is shown by one of the two components, whichever is for it', async () => {
  const both = (
    <>
      <AskUserQuestion toolCallId={ID} answerEndpoint={server.url} />
      <ToolApproval toolCallId={ID} answerEndpoint={server.url} />
    </>
  )
  const { unmount } = render(both)
  await show(APPROVAL)
  await screen.findByRole('region', { name: 'The agent asks for permission: Bash' })
  expect(screen.getAllByRole('region')).toHaveLength(1)
  expect(document.body.textContent).toContain('npm publish')
  unmount()
  await closed()

  render(both)
  await show()
  await screen.findByRole('radiogroup', { name: 'Which language?' })
  expect(screen.getAllByRole('region')).toHaveLength(1)
})

it('is an approval that tells what was decided before the page was loaded', async () => {
  render(<ToolApproval toolCallId={ID} answerEndpoint={server.url} />)
  await show({
    ...APPROVAL,
    state: 'answered',
    revision: 1,
    responses: { permission: { selected: ['deny'], source: 'human' } },
    answeredBy: 'ada',
  })
  await screen.findByText('Denied')
  expect(screen.queryByRole('button')).toBeNull()
})
