import { ARRIVAL_GUARD_MS, type AskedQuestion } from '@sandagent/core/internal'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { enteredFor } from '../../../src/terminal/form/rows.ts'
import { showForm } from '../../../src/terminal/form/show-form.tsx'
import { holdAnswers } from '../../../src/terminal/session/open-session.ts'
import { createFakeTerminal } from '../../fake-terminal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const HOW_LONG: AskedQuestion = {
  id: 'ms',
  question: 'How long?',
  typed: { kind: 'number', min: 0, max: 1000 },
}

/** A form that asks for a number. The returned function types into it. */
function openNumber() {
  const transport = { send: async () => ({}) }
  const opened = holdAnswers({ toolCallId: 'c', questions: [HOW_LONG] }, transport, 0)
  const { io, keyboard } = createFakeTerminal()
  const gone = new AbortController()
  const shown = showForm({
    open: { record: { kind: 'question' }, attach: async () => null, ...opened },
    stdout: io.stdout,
    ctrlC: 'leave',
    keyboard,
    editor: undefined,
    signal: gone.signal,
  })
  onTestFinished(async () => {
    gone.abort()
    await shown
  })
  return {
    entered: () => enteredFor(opened.session.getSnapshot(), HOW_LONG).freeText ?? '',
    type(text: string, gapMs: number) {
      for (const character of text) {
        io.stdin.emit('data', Buffer.from(character))
        vi.advanceTimersByTime(gapMs)
      }
    },
  }
}

it.each([0, 100, 200])('what is being typed %i ms after a form appeared is dropped whole', (afterMs) => {
  const { type, entered } = openNumber()
  vi.advanceTimersByTime(afterMs)
  type('2501', 120)
  expect(entered()).toBe('')
  vi.advanceTimersByTime(ARRIVAL_GUARD_MS)
  type('250', 120)
  expect(entered()).toBe('250')
})

it('what is typed once a form could be read counts at once', () => {
  const { type, entered } = openNumber()
  vi.advanceTimersByTime(ARRIVAL_GUARD_MS)
  type('250', 120)
  expect(entered()).toBe('250')
})
