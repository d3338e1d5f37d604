import type { AskStatus } from '@sandagent/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AnswerServer, type HeldPost, startAnswerServer } from './answer-server.ts'
import { FEATURES, partAsking, QuestionCard } from './question-card.tsx'

let server: AnswerServer
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(async () => {
  cleanup()
  sessionStorage.clear()
  await server.close()
})

const field = () => screen.getByLabelText<HTMLInputElement>('Own answer: Which features?')
const status = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

/** Types an answer, submits it, and lets the host do its worst; drafts are stored as ever. */
async function submitTo(fail: (post: HeldPost) => void): Promise<void> {
  server.onPost = (post) => (post.body.status === 'pending' ? post.succeed() : fail(post))
  render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
  await userEvent.type(field(), 'a logo, please')
  await press('Submit')
}

it.each<[string, (post: HeldPost) => void]>([
  ['400', ({ reply }) => reply(400, { error: { code: 'INVALID_ANSWERS', message: 'no', faults: [] } })],
  ['403', ({ reply }) => reply(403, { error: 'no' })],
  ['413', ({ reply }) => reply(413, { error: 'no' })],
])('shows %s as a failure, keeps what was typed, and sends it again', async (_, fail) => {
  await submitTo(fail)
  await status('failed')
  expect(screen.getByRole('alert').textContent).not.toBe('')
  expect(field().value).toBe('a logo, please')
  server.onPost = ({ succeed }) => succeed()
  await press('Try again')
  await status('sent')
  expect(server.posts.at(-1)?.body).toMatchObject({
    status: 'completed',
    responses: { q1: { freeText: 'a logo, please' } },
  })
})

it.each<[string, (post: HeldPost) => void]>([
  ['429', ({ reply }) => reply(429, { error: 'no' }, { 'retry-after': '0' })],
  ['500', ({ reply }) => reply(500, 'no')],
  ['a broken connection', ({ drop }) => drop()],
])('sends what %s kept from being sent again by itself', async (_, fail) => {
  await submitTo(fail)
  await status('retrying')
  server.onPost = ({ succeed }) => succeed()
  await status('sent')
  const [first, ...others] = server.posts.filter(({ body }) => body.status === 'completed')
  expect(others.length).toBeGreaterThan(0)
  for (const { body } of others) expect(body).toEqual(first?.body)
})

it('waits as long as the host wants, and sends when the person says so', async () => {
  await submitTo(({ reply }) => reply(429, { error: 'no' }, { 'retry-after': '3600' }))
  await status('retrying')
  expect(Number(screen.getByTestId('retry-at').textContent)).toBeGreaterThan(Date.now() + 3_000_000)
  server.onPost = ({ succeed }) => succeed()
  await press('Try again')
  await status('sent')
})

it.each<[number, AskStatus]>([
  [409, 'superseded'],
  [410, 'expired'],
])('shows %i as %s, offers no second try, and gives back what was typed', async (code, shown) => {
  await submitTo(({ reply }) => reply(code, { error: 'too late' }))
  await status(shown)
  expect(screen.getByTestId('entered').textContent).toContain('a logo, please')
  const before = server.posts.length
  await press('Try again')
  expect(server.posts).toHaveLength(before)
})

it('shows on a slow network that the answer is on its way, and sends it once', async () => {
  await submitTo(() => {})
  await status('sending')
  const completed = () => server.posts.filter(({ body }) => body.status === 'completed')
  await waitFor(() => expect(completed()).toHaveLength(1))
  await press('Submit')
  await press('Submit')
  expect(completed()).toHaveLength(1)
  expect(field().value).toBe('a logo, please')
  completed()[0]?.succeed()
  await status('sent')
})

it('shows a refusal as sent only where the host says that it stored one; an older host replies with success and keeps waiting', async () => {
  server.onPost = ({ reply }) => reply(200, { success: true })
  render(<QuestionCard part={partAsking(FEATURES)} answerEndpoint={server.url} />)
  await press('Decline')
  await status('failed')
  expect(screen.getByRole('alert').textContent).toContain('cannot be declined')
  await userEvent.type(field(), 'a logo, then')
  server.onPost = ({ reply }) => reply(200, { success: true })
  await press('Submit')
  await status('sent')
})
