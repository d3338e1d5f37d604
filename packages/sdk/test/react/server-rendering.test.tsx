import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { LANGUAGE, partAsking, QuestionCard } from './question-card.tsx'

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
