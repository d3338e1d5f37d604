import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { AskError, AskUserQuestion } from '../../src/index.ts'
import { FEATURES, LANGUAGE, partAsking } from '../question-card.tsx'
import { arrived, button, keys, NAME, option, press } from './form-fixture.tsx'

const transport = { send: async () => ({}) }

/** What a screen reader says of an element: not what is hidden from it, and not what is no news. */
function newsIn(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const quiet of copy.querySelectorAll('[aria-hidden], [aria-live=off]')) quiet.remove()
  return copy.textContent ?? ''
}

/** Every text that a live region got, in the order of time. */
function listen(region: Element): string[] {
  const heard: string[] = []
  new MutationObserver(() => {
    const news = newsIn(region)
    if (news !== heard.at(-1)) heard.push(news)
  }).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  return heard
}
const region = (): Element => document.querySelector('[aria-live=polite][aria-atomic]') as Element

it('is made once when a question arrives, in a region that was there before', async () => {
  render(<AskUserQuestion part={partAsking(LANGUAGE)} transport={transport} />)
  expect(region().textContent).toBe('')
  const heard = listen(region())
  await arrived()
  await vi.waitFor(() => expect(heard).toEqual(['The agent asks: Which language?']))
  await userEvent.type(screen.getByRole('textbox'), 'Zig')
  expect(heard).toHaveLength(1)
  // The name of the region does not say the question a second time.
  expect(screen.getByRole('region').getAttribute('aria-label')).not.toContain('Which language?')
})

it('is made at each step, and not in the review', async () => {
  render(<AskUserQuestion part={partAsking(LANGUAGE, FEATURES, NAME)} transport={transport} />)
  const heard = listen(region())
  await arrived()
  await userEvent.click(option('Python'))
  await press('Next')
  await userEvent.click(within(screen.getByRole('list')).getByRole('button', { name: 'Review' }))
  await vi.waitFor(() =>
    expect(heard).toEqual([
      'Question 1 of 3: Which language?',
      'Question 2 of 3: Which features?',
      'Question 3 of 3: Which name?',
      '',
    ]),
  )
})

it('comes with an order of focus in which the question is first and Hide is last', async () => {
  render(<AskUserQuestion part={partAsking(FEATURES, NAME)} transport={transport} />)
  await arrived()
  await userEvent.tab()
  expect(document.activeElement).toBe(option('Tests'))
  let last: Element | null = null
  while (document.activeElement !== document.body) {
    last = document.activeElement
    await userEvent.tab()
  }
  expect(last).toBe(button('Hide'))
})

it('says once what is sent by itself, and of drafts only that one was not saved', async () => {
  let isDown = false
  const host = {
    async send() {
      if (isDown) throw new AskError('UNREACHABLE', 'No network')
      return {}
    },
  }
  render(<AskUserQuestion part={partAsking(LANGUAGE)} transport={host} undoMs={2_500} />)
  await arrived()
  const heard = listen(screen.getByRole('status'))
  await userEvent.type(screen.getByRole('textbox'), 'Zig')
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('Draft saved · 1 of 1 answered'))
  await userEvent.clear(screen.getByRole('textbox'))
  isDown = true
  await userEvent.type(screen.getByRole('textbox'), 'C')
  await vi.waitFor(() => expect(heard).toContain('Not saved yet. What you entered is kept here'))
  isDown = false
  await userEvent.clear(screen.getByRole('textbox'))
  option('Python').focus()
  await keys('2')
  expect(screen.getByRole('status').textContent).toContain('Sends in 3 s: Python')
  await vi.waitFor(
    () => expect(screen.getByRole('status').textContent).toContain('Sends in 1 s: Python'),
    5_000,
  )
  await vi.waitFor(() => expect(heard.at(-1)).toMatch(/^Sent/), 5_000)
  expect(heard.filter((news) => news !== '')).toEqual([
    'Not saved yet. What you entered is kept here',
    'Sends in 3 s: Python. Undo: Esc',
    'Sending…',
    'Sent. Waiting for the agent to take it…',
  ])
})
