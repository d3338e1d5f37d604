import type { QuestionView } from '@sandagent/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ToolApproval } from '../../src/index.ts'
import { FEATURES, LANGUAGE, partAsking } from '../question-card.tsx'
import {
  button,
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

const picked = (...selected: string[]) => ({ selected, source: 'human' as const })
const ada = (isTyping = false) => ({ id: 'ada', name: 'Ada', isTyping })
const draftOfAda = (responses: QuestionView['responses'], revision = 9) => ({
  otherDrafts: [{ id: 'ada', name: 'Ada', revision, at: '2026-01-01T00:00:00Z', responses }],
})
const theirs = (): HTMLElement => screen.getByRole('region', { name: /^Ada/ })
const announced = (): string =>
  [...document.querySelectorAll('.sa-others [aria-live]')].map(({ textContent }) => textContent).join()

it('says who else has the question open, and who answers', async () => {
  const { part, show } = await openForm([LANGUAGE])
  await show({ people: [ada(), { id: 'x', isTyping: false }] })
  await screen.findByText('Ada has this open')
  expect(screen.getByText('Somebody else has this open')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Take over: Ada' })).toBeNull()
  host().meet({ toolCallId: part.toolCallId, people: [ada(true)] })
  await screen.findByText('Ada is answering', { selector: 'bdi' })
  await show({})
  await waitFor(() => expect(screen.queryByText(/^Ada/, { selector: 'bdi' })).toBeNull())
})

it('announces each person once, not at each key', async () => {
  const { part, show } = await openForm([LANGUAGE])
  const people = (isTyping: boolean) => host().meet({ toolCallId: part.toolCallId, people: [ada(isTyping)] })
  await show({ people: [ada()] })
  await screen.findByText('Ada has this open')
  expect(announced()).toBe('')
  people(true)
  await waitFor(() => expect(announced()).toBe('Ada is answering'))
  const spoken: string[] = []
  const observer = new MutationObserver(() => spoken.push(announced()))
  observer.observe(document.querySelector('.sa-others [aria-live]') as Element, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  people(false)
  await screen.findByText('Ada has this open')
  people(true)
  await screen.findByText('Ada is answering', { selector: 'bdi' })
  observer.disconnect()
  expect(spoken).toEqual([])
})

it('shows what somebody else has entered beside the own entries, and takes it over by one click', async () => {
  const { show } = await openForm([FEATURES, NAME], { layout: 'all' })
  await userEvent.click(option('Tests'))
  await stored(1)
  await show({
    revision: 1,
    responses: { q1: picked('Tests') },
    people: [ada(true)],
    ...draftOfAda({ q1: picked('README, with usage'), name: { ...picked(), freeText: 'greeter' } }),
  })
  await screen.findByText('greeter')
  expect(within(theirs()).getByText('README, with usage')).toBeTruthy()
  expect(option('Tests').checked).toBe(true)
  expect(option('README, with usage').checked).toBe(false)

  await press('Take over: Ada')
  expect(option('Tests').checked).toBe(false)
  expect(option('README, with usage').checked).toBe(true)
  expect(textbox('Which name?').value).toBe('greeter')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Take over: Ada' })).toBeNull())
  const [, taken] = await stored(2)
  expect(taken).toMatchObject({ status: 'pending', responses: { name: { freeText: 'greeter' } } })

  await userEvent.click(option('Tests'))
  await screen.findByRole('button', { name: 'Take over: Ada' })
})

it('does not send what is taken over, though it completes the answer', async () => {
  const { show } = await openForm([LANGUAGE])
  await show(draftOfAda({ q1: picked('Python') }))
  await screen.findByText('Ada has entered this')
  await press('Take over: Ada')
  await stored(1)
  await status('Draft saved')
  expect(posts().map(({ body }) => body.status)).toEqual(['pending'])
})

it('tells the loser who answered and when, and keeps the own words to be copied', async () => {
  const user = userEvent.setup()
  const { show } = await openForm([NAME])
  await user.type(textbox('Which name?'), 'my own words')
  await show({
    state: 'sent',
    byOther: true,
    answeredBy: 'Ada',
    answeredAt: new Date().toISOString(),
    responses: { name: { ...picked(), freeText: 'hers' } },
    revision: 5,
  })
  await status('Ada answered first at ')
  const form = screen.getByRole('region', { name: /^The agent asked/ })
  expect(form.dataset.status).toBe('superseded')
  expect((await screen.findByText('my own words')).closest('details')?.open).toBe(true)
  await user.click(button('Copy'))
  await screen.findByRole('button', { name: 'Copied' })
  expect(await navigator.clipboard.readText()).toBe('Which name?\nmy own words')
  expect(form.textContent).not.toMatch(/Received|Sent/)
})

it('selects the own words if the browser refuses the clipboard', async () => {
  const { show } = await openForm([NAME])
  await userEvent.type(textbox('Which name?'), 'my own words')
  await show({ state: 'sent', byOther: true, responses: { name: { ...picked(), freeText: 'theirs' } } })
  await status('Answered elsewhere first. Yours was not sent')
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  await userEvent.click(await screen.findByRole('button', { name: 'Copy' }))
  expect(getSelection()?.toString()).toContain('my own words')
  expect(button('Copy')).toBeTruthy()
})

it('calls it no race if nothing was entered here, and says if the question was declined', async () => {
  const { show } = await openForm([LANGUAGE])
  await show({ state: 'sent', byOther: true, answeredBy: 'Ada', declined: true, reason: 'Not now' })
  await status('Ada declined')
  expect(screen.getByRole('status').textContent).toBe('Ada declined')
  expect(screen.getByText('Not now')).toBeTruthy()
})

it('shows in an approval who else is there, and who decided', async () => {
  const options = [
    { label: 'Allow once', value: 'allow_once' },
    { label: 'Deny', value: 'deny' },
  ]
  const part = partAsking({ question: 'May I?', options })
  const view = (more: Partial<QuestionView>): QuestionView =>
    viewOf(part, {
      kind: 'approval',
      subject: { toolName: 'Bash', input: { command: 'ls' } },
      ...more,
    })
  render(<ToolApproval part={part} answerEndpoint={host().url} />)
  await waitFor(() => expect(host().streams).toBeGreaterThan(0))
  host().show(view({ people: [ada(true)] }))
  await screen.findByText('Ada is answering', { selector: 'bdi' })
  await waitFor(() => expect(button('Deny').closest('fieldset')?.disabled).toBe(false))
  await userEvent.type(screen.getByRole('textbox'), 'not in this folder')
  host().show(
    view({
      state: 'sent',
      byOther: true,
      answeredBy: 'Ada',
      responses: { q1: picked('allow_once') },
      revision: 3,
    }),
  )
  await status('Ada answered first')
  expect(screen.getByText('not in this folder')).toBeTruthy()
  expect(screen.getByText('Allow once', { selector: 'b' })).toBeTruthy()
})
