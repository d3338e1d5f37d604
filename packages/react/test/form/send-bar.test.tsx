import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { FEATURES, LANGUAGE, LICENCE } from '../question-card.tsx'
import {
  button,
  completed,
  focused,
  host,
  keys,
  openForm,
  option,
  posts,
  press,
  serverForEach,
  status,
  stored,
} from './form-fixture.tsx'

serverForEach()

/** Longer than any test. */
const COUNTING = { autoSubmit: undefined, undoMs: 600_000 }
const AT_ONCE = { autoSubmit: undefined, undoMs: 0 }

const isCounting = (): boolean => document.querySelector('.sa-countdown') !== null
const statuses = (): string[] => posts().map(({ body }) => body.status)

describe('a pick that completes the answer', () => {
  it('is saved, announced, and sent when the time is up', async () => {
    await openForm([LANGUAGE], AT_ONCE)
    await userEvent.click(option('Python'))
    expect((await completed()).responses).toMatchObject({ q1: { selected: ['Python'] } })
    await status('Sent')
    expect(isCounting()).toBe(false)
    expect(focused()).toBe(screen.getByRole('status'))
  })

  it('can be changed meanwhile: the form stays as it is, with the focus on the option', async () => {
    await openForm([LANGUAGE], COUNTING)
    await userEvent.click(option('Python'))
    expect(isCounting()).toBe(true)
    expect(screen.getByRole('status').textContent).toContain('Sends in 600 s: Python')
    expect(button('Undo').textContent).toBe('Undo (Esc)')
    expect(focused()).toBe(option('Python'))
    await userEvent.click(option('TypeScript'))
    expect(isCounting()).toBe(true)
    await keys('{Enter}')
    expect((await completed()).responses).toMatchObject({ q1: { selected: ['TypeScript'] } })
  })

  it.each<[string, () => Promise<void>]>([
    ['Enter', () => keys('{Enter}')],
    ['its button', () => press('Send now')],
  ])('is sent at once by %s', async (_, act) => {
    await openForm([LANGUAGE], COUNTING)
    await userEvent.click(option('Python'))
    await act()
    expect((await completed()).responses).toMatchObject({ q1: { selected: ['Python'] } })
    await status('Sent')
    expect(focused()).toBe(screen.getByRole('status'))
  })

  it.each<[string, () => Promise<void>]>([
    ['Escape', () => keys('{Escape}')],
    ['its button', () => press('Undo')],
    ['its button, reached by Tab', () => keys('{Tab>9/}{Escape}')],
  ])('is taken back by %s, and stays picked', async (_, act) => {
    await openForm([LANGUAGE], COUNTING)
    await userEvent.click(option('Python'))
    await act()
    expect(isCounting()).toBe(false)
    expect(option('Python').checked).toBe(true)
    expect(focused()).toBe(option('Python'))
    await stored(1)
    await status('Draft saved · 1 of 1 answered')
    expect(statuses()).toEqual(['pending'])
    await press('Send answer')
    expect((await completed()).status).toBe('completed')
  })

  it('is taken back by a step to another question', async () => {
    await openForm([LANGUAGE, LICENCE], COUNTING)
    await userEvent.click(option('Python'))
    await userEvent.click(option('MIT'))
    expect(isCounting()).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: /^Question 1 of 2/ }))
    expect(isCounting()).toBe(false)
  })

  it('can be taken back and sent by keyboard alone', async () => {
    await openForm([LANGUAGE], COUNTING)
    option('TypeScript').focus()
    await keys('2')
    expect(isCounting()).toBe(true)
    while (focused() !== button('Undo')) await userEvent.tab()
    await keys('{Enter}')
    expect(isCounting()).toBe(false)
    await keys('2{Enter}')
    expect((await completed()).responses).toMatchObject({ q1: { selected: ['Python'] } })
  })

  it('is sent when the page is left, and not when it is only hidden', async () => {
    await openForm([LANGUAGE], COUNTING)
    await userEvent.click(option('Python'))
    await stored(1)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(statuses()).toEqual(['pending'])
    window.dispatchEvent(new Event('pagehide'))
    expect((await completed()).responses).toMatchObject({ q1: { selected: ['Python'] } })
  })
})

describe('an answer that could not be sent', () => {
  const submit = async (): Promise<void> => {
    await openForm([FEATURES])
    await userEvent.click(option('Tests'))
    await status('Draft saved')
    await press('Send answer')
  }
  const isLocked = (): boolean => option('Tests').matches(':disabled')

  it('says so, and is sent by itself', async () => {
    host().onPost = ({ body, succeed, drop }) => (body.status === 'pending' ? succeed() : drop())
    await submit()
    await status('Not sent yet, trying again')
    expect(isLocked()).toBe(true)
    expect(screen.getByRole('alert').textContent).toBe('')
    host().onPost = ({ succeed }) => succeed()
    await status('Sent')
  })

  it('has its buttons in the footer, and Tab leads from the status to them', async () => {
    host().onPost = ({ body, succeed, drop }) => (body.status === 'pending' ? succeed() : drop())
    await submit()
    await status('Not sent yet, trying again')
    expect(focused()).toBe(screen.getByRole('status'))
    const footer = document.querySelector('.sa-footer')
    const buttons = [...(footer?.querySelectorAll('button') ?? [])]
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Stop trying', 'Try now'])
    expect(document.querySelector('.sa-shortcuts')?.textContent).toBe('')
    for (const button of buttons) {
      await userEvent.tab()
      expect(focused()).toBe(button)
    }
    await keys('{Shift>}{Tab}{/Shift}{Enter}')
    await waitFor(() => expect(isLocked()).toBe(false))
  })

  it('is sent now, when the person wants that', async () => {
    host().onPost = ({ body, succeed, reply }) =>
      body.status === 'pending' ? succeed() : reply(429, {}, { 'retry-after': '3600' })
    await submit()
    await waitFor(() => expect(document.body.textContent).toContain('Next try at'))
    host().onPost = ({ succeed }) => succeed()
    await press('Try now')
    await status('Sent')
  })

  it('is a draft again when the person stops it', async () => {
    host().onPost = ({ body, succeed, reply }) =>
      body.status === 'pending' ? succeed() : reply(503, {}, { 'retry-after': '3600' })
    await submit()
    await status('Not sent yet, trying again')
    await press('Stop trying')
    await waitFor(() => expect(isLocked()).toBe(false))
    expect(focused()).toBe(option('Tests'))
    // The host wanted to be left alone, so the draft waits, too.
    await status('Not saved yet')
    expect(statuses()).toEqual(['pending', 'completed'])
  })

  it('waits for the person to sign in', async () => {
    host().onPost = ({ body, succeed, reply }) => (body.status === 'pending' ? succeed() : reply(401, {}))
    await submit()
    await status('Sign in again to send this')
    host().onPost = ({ succeed }) => succeed()
    await press('Try now')
    await status('Sent')
  })
})
