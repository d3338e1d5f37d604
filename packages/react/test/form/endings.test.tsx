import type { QuestionView } from '@sandagent/core'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { FEATURES, LANGUAGE } from '../question-card.tsx'
import {
  alert,
  button,
  completed,
  focused,
  host,
  NAME,
  openForm,
  option,
  posts,
  press,
  serverForEach,
  status,
  stored,
  textbox,
  viewOf,
} from './form-fixture.tsx'

serverForEach()

const unsent = (): (string | null)[] =>
  [...document.querySelectorAll('.sa-unsent :is(dt, dd)')].map(({ textContent }) => textContent)

const PYTHON = { q1: { selected: ['Python'], source: 'human' as const } }
const WHO = { answeredBy: 'somebody@example.org', answeredAt: '2026-03-01T14:05:00Z' }

it.each<[string, Partial<QuestionView>, string | RegExp]>([
  ['sent', { state: 'sent', responses: PYTHON, ...WHO }, 'Sent. Waiting for the agent to take it…'],
  [
    'received',
    { state: 'answered', responses: PYTHON, ...WHO },
    /^Received by the agent ?Answered by somebody@example\.org · .*1.*2026.*\d:05/,
  ],
  ['declined', { state: 'declined', declined: true, reason: 'Not now' }, 'Declined. The agent was told'],
  ['timed out', { state: 'timed-out' }, 'Nobody answered in time'],
  ['withdrawn', { state: 'aborted' }, 'The agent withdrew the question'],
  [
    'kept for a run that ended',
    { state: 'sent', responses: PYTHON, runEnded: true },
    'The agent takes it up when it is back',
  ],
])('shows that a question is %s, to be read only', async (_, view, text) => {
  const { show } = await openForm([LANGUAGE])
  await show(view)
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(text))
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  const answer = screen.getByText('Which language?').nextSibling?.textContent
  expect(answer).toBe(view.responses ? 'Python' : 'No answer')
  if (view.reason) expect(screen.getByText('Not now')).toBeTruthy()
})

it.each(['a draft', 'an answer'])('says why %s is not stored yet, in the words of the host', async (what) => {
  const message = 'This host does not know the question: none was asked yet'
  host().onPost = ({ reply }) => reply(503, { success: false, error: { code: 'UNREACHABLE', message } })
  await openForm(what === 'a draft' ? [LANGUAGE, FEATURES] : [LANGUAGE])
  await userEvent.click(option('Python'))
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain(message))
  expect(screen.getByRole('status').textContent).toContain('What you entered is kept here')
})

it('says that an answer to a run that ended is kept', async () => {
  const { show } = await openForm([LANGUAGE])
  await show({ runEnded: true })
  await status('The agent is gone. Your answer is kept until it is started again')
  await userEvent.click(option('Python'))
  expect((await stored(1))[0]?.status).toBe('completed')
})

it('shows whose answer came first, and theirs', async () => {
  const { part } = await openForm([LANGUAGE])
  await userEvent.click(option('Python'))
  await waitFor(() => expect(posts()).toHaveLength(1))
  posts()[0]?.reply(409, {
    success: false,
    error: { code: 'CONFLICT', message: 'Somebody answered already', faults: [] },
    question: viewOf(part, {
      state: 'sent',
      responses: { q1: { selected: ['TypeScript'], source: 'human' } },
      revision: 2,
      ...WHO,
    }),
  })
  await status('somebody@example.org answered first at Mar 1, 2026, ')
  expect(screen.getByText('TypeScript')).toBeTruthy()
  expect(focused()).toBe(screen.getByRole('status'))
  await waitFor(() => expect(unsent()).toEqual(['Which language?', 'Python']))
})

it.each<[string, Partial<QuestionView>]>([
  ['somebody else answered', { state: 'answered', responses: PYTHON, ...WHO }],
  ['nobody answered in time', { state: 'timed-out' }],
])('keeps the words typed here and not sent when %s', async (_, view) => {
  const { show } = await openForm([LANGUAGE, NAME], { layout: 'all' })
  await userEvent.type(textbox('Type your own answer: Which language?'), 'Rust, if it must be')
  await userEvent.type(textbox('Which name?'), 'Otto')
  await show({ ...view, revision: 9 })
  await waitFor(() => expect(unsent()).toContain('Otto'))
  expect(unsent()).toEqual(['Which language?', 'Rust, if it must be', 'Which name?', 'Otto'])
  // Not behind a click: the person may believe that it was sent.
  expect(document.querySelector<HTMLDetailsElement>('.sa-unsent')?.open).toBe(true)
})

it('tells of nothing unsent where what was entered here is what counts', async () => {
  const { show } = await openForm([FEATURES])
  await userEvent.click(option('Tests'))
  await press('Send answer')
  const { responses } = await completed()
  await show({ state: 'answered', responses: responses as QuestionView['responses'], revision: 9 })
  await status('Received by the agent')
  expect(unsent()).toEqual([])
})

it('says until when the agent waits', async () => {
  const { show } = await openForm([LANGUAGE])
  await show({ deadline: '2026-03-01T14:05:00Z', remainingMs: 600_000 })
  await screen.findByText(/Waits until/)
})

it('shows a refused answer to its author again, with nothing lost', async () => {
  await openForm([LANGUAGE])
  await userEvent.click(option('Python'))
  expect(focused()).toBe(screen.getByRole('status'))
  await waitFor(() => expect(posts()).toHaveLength(1))
  posts()[0]?.reply(403, { error: { code: 'FORBIDDEN', message: 'Not yours', faults: [] } })
  await waitFor(() => expect(alert()).toContain('Not yours'))
  await waitFor(() => expect(focused()).toBe(button('Try again')))
  expect(option('Python').checked).toBe(true)
  host().onPost = ({ succeed }) => succeed()
  await press('Try again')
  await status('Sent')
  expect(alert()).toBe('')
})

it('says calmly that a draft is not saved: no wakeSignal, no way in between, and the answer goes all the same', async () => {
  await openForm([FEATURES])
  host().onPost = ({ body, drop, succeed }) => (body.status === 'pending' ? drop() : succeed())
  await userEvent.click(option('Tests'))
  await status('Not saved yet. What you entered is kept here')
  expect(alert()).toBe('')
  expect(focused()).toBe(option('Tests'))
  await userEvent.type(textbox('Type your own answer: Which features?'), 'A manual')
  await status('Not saved yet. What you entered is kept here')
  expect(alert()).toBe('')
  await press('Send answer')
  await status('Sent')
  expect(posts().at(-1)?.body.responses).toMatchObject({ q1: { selected: ['Tests'], freeText: 'A manual' } })
})

it('says why the host refuses a draft', async () => {
  await openForm([FEATURES])
  host().onPost = ({ reply }) => reply(413, { error: 'This is too long' })
  await userEvent.click(option('Tests'))
  await waitFor(() => expect(alert()).toContain('This is too long'))
  await status('Not saved yet')
})

it('tells defaults and drafts that the agent went on with from what somebody answered', async () => {
  const { show } = await openForm([LANGUAGE])
  await show({ state: 'timed-out', responses: { q1: { selected: ['Python'], source: 'default' } } })
  await status('Nobody answered in time')
  expect(screen.getByText('Which language?').nextSibling?.textContent).toBe(
    'PythonAgent’s default; nobody chose it',
  )
})

it('says that the agent took a draft when the time ran out', async () => {
  const { show } = await openForm([LANGUAGE, NAME])
  await show({ state: 'partial', responses: PYTHON })
  await status('Time ran out; the agent took the draft')
})

it('names the subagent that asks', async () => {
  const form = await openForm([LANGUAGE])
  await form.show({ asker: { agent: 'code-reviewer', parentToolCallId: 'toolu_parent' } })
  expect(await screen.findByText('Subagent code-reviewer')).toBeTruthy()
  await form.show({ asker: { agent: 'you trust\n \u202ethe ”host' } })
  expect(await screen.findByText("Subagent “you trust <U+202E>the 'host”")).toBeTruthy()
  await form.show({ asker: {} })
  expect(await screen.findByText('A subagent')).toBeTruthy()
})

it('holds back a text where a number is asked for, and sends one that fits', async () => {
  host().onPost = ({ succeed }) => succeed()
  await openForm([{ question: 'How many?', typed: { kind: 'number', min: 1, max: 10 } }])
  expect(await screen.findByText('A number from 1 to 10')).toBeTruthy()
  const field = screen.getByRole('spinbutton', { name: 'How many?' })
  await userEvent.type(field, '11')
  await press('Send answer')
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('Enter a number, at least 1 and at most 10')).toBeTruthy()
  expect(posts().some(({ body }) => body.status === 'completed')).toBe(false)
  await userEvent.type(field, '{Backspace}')
  await press('Send answer')
  await waitFor(() =>
    expect(posts().at(-1)?.body).toMatchObject({ status: 'completed', answers: { 'How many?': '1' } }),
  )
})

it('asks to sign in again where the host wants that', async () => {
  await openForm([FEATURES])
  await userEvent.click(option('Tests'))
  await waitFor(() => expect(posts()).toHaveLength(1))
  posts()[0]?.reply(401, {
    success: false,
    error: { code: 'UNAUTHENTICATED', message: 'No session', faults: [] },
  })
  await waitFor(() => expect(alert()).toContain('Sign in again to send this. Nothing is lost.'))
})

it('declines with a reason, only after asking, and Keep answering leads back', async () => {
  await openForm([LANGUAGE])
  await press('Decline')
  expect(focused()).toBe(button('Keep answering'))
  await press('Keep answering')
  expect(focused()).toBe(option('TypeScript'))
  await press('Decline')
  await userEvent.type(screen.getByRole('textbox', { name: 'Why, if you want to say' }), 'Too early')
  // What was typed is there again when the person comes back to it.
  await userEvent.keyboard('{Escape}')
  await press('Decline')
  await press('Decline')
  expect((await stored(1))[0]).toMatchObject({ status: 'declined', reason: 'Too early' })
  await status('Declined. Waiting for the agent to take note…')
  expect(focused()).toBe(screen.getByRole('status'))
})
