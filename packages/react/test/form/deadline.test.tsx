import type { AnswerTransport, QuestionView } from '@sandagent/core'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AskUserQuestion } from '../../src/index.ts'
import { LANGUAGE, partAsking } from '../question-card.tsx'
import { viewOf } from './form-fixture.tsx'

const NOW = Date.parse('2026-03-01T14:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A question that waits, at a host that is in the test's hands. */
async function openForm(remainingMs: number) {
  const part = partAsking(LANGUAGE)
  let onView: ((view: QuestionView) => void) | undefined
  const transport: AnswerTransport = {
    send: async () => ({ revision: 1 }),
    subscribe(_, report) {
      onView = report
      return () => {}
    },
  }
  const { unmount } = render(<AskUserQuestion part={part} transport={transport} />)
  const show = (leftMs: number): void => {
    const deadline = new Date(Date.now() + leftMs).toISOString()
    act(() => onView?.(viewOf(part, { deadline, remainingMs: leftMs })))
  }
  await act(() => vi.waitFor(() => expect(onView).toBeDefined()))
  show(remainingMs)
  return { show, unmount }
}

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })
/** What stands at the top. */
const shown = (): string => screen.getByRole('time').textContent ?? ''
/** What screen readers announce. */
const told = (): string => screen.getByRole('status').textContent ?? ''

it('counts the last minute down, and tells screen readers of it once', async () => {
  await openForm(90_000)
  expect(shown()).toContain('Waits until')
  pass(29_000)
  expect(shown()).toContain('Waits until')
  pass(1_000)
  expect(shown()).toBe('1:00 left. Any entry adds time')
  const warning = told()
  expect(warning).toContain('Less than a minute left. Any entry adds time')
  for (let left = 59; left > 0; left--) {
    pass(1_000)
    expect(shown()).toBe(`0:${`${left}`.padStart(2, '0')} left. Any entry adds time`)
    expect(told()).toBe(warning)
  }
})

it('says that the time is up, and still takes the answer', async () => {
  const { show } = await openForm(1_000)
  pass(1_000)
  expect(shown()).toContain('The time is up; the agent may go on at any moment')
  expect(shown()).not.toMatch(/0:00/)
  show(0)
  // The form takes no entries before it knows its keys, for at most four seconds.
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  for (const option of screen.getAllByRole('radio')) expect(option.matches(':disabled')).toBe(false)
})

it('shows the new deadline once a draft has put it off, and warns again before that', async () => {
  const { show } = await openForm(20_000)
  expect(shown()).toMatch(/^\d:\d\d left/)
  show(300_000)
  expect(shown()).toContain('Waits until')
  pass(239_000)
  expect(shown()).toContain('Waits until')
  pass(1_000)
  expect(shown()).toMatch(/^\d:\d\d left/)
})

it('leaves no timer behind', async () => {
  const { unmount } = await openForm(20_000)
  pass(1_000)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
