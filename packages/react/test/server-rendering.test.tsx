import { readQuestions } from '@sandagent/core/internal'
import { act, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { FEATURES, LANGUAGE, partAsking, QuestionCard } from './question-card.tsx'

it('renders on a server, and hydrates to the same without a warning', async () => {
  const warnings = vi.spyOn(console, 'error')
  const part = partAsking(LANGUAGE)
  const send = vi.fn()
  const card = <QuestionCard part={part} transport={{ send }} />

  const container = document.createElement('div')
  container.innerHTML = renderToString(card)
  expect(container.textContent).toContain('Which language?')
  const html = container.innerHTML

  const root = await act(() => hydrateRoot(container, card))
  expect(container.innerHTML).toBe(html)
  expect(warnings).not.toHaveBeenCalled()
  expect(send).not.toHaveBeenCalled()

  act(() => root.unmount())
  warnings.mockRestore()
})

it('hydrates in strict mode with a draft that was kept: no warning, one connection, no request', async () => {
  const warnings = vi.spyOn(console, 'error')
  const part = partAsking(FEATURES)
  const draft = { q1: { selected: ['Tests'], freeText: 'a logo', source: 'human' } }
  const following = new Set<string>()
  const subscribe = vi.fn((toolCallId: string) => {
    following.add(toolCallId)
    return () => void following.delete(toolCallId)
  })
  const send = vi.fn(async () => ({}))
  const transport = { send, subscribe }
  const card = (
    <StrictMode>
      <QuestionCard part={part} transport={transport} />
    </StrictMode>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(card)
  expect(container.querySelector('input')?.checked).toBe(false)

  const asked = JSON.stringify(readQuestions(part.input))
  const kept = { asked, draft, revision: 1, dirty: false, sent: {} }
  sessionStorage.setItem(`sandagent draft ${part.toolCallId}`, JSON.stringify(kept))
  const root = await act(() => hydrateRoot(container, card))
  await waitFor(() => expect(container.querySelector('input')?.checked).toBe(true))
  expect(container.textContent).toContain('a logo')
  expect(warnings).not.toHaveBeenCalled()
  expect([...following]).toEqual([part.toolCallId])
  expect(send).not.toHaveBeenCalled()

  act(() => root.unmount())
  expect(following.size).toBe(0)
  sessionStorage.clear()
  warnings.mockRestore()
})
