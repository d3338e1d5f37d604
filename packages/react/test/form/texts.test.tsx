import type { Question } from '@sandagent/core'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import '../../src/form/markdown/markdown.tsx'
import { completed, openForm, option, press, serverForEach, textbox } from './form-fixture.tsx'

serverForEach()

const STORE: Question = {
  id: 'store',
  question:
    '## Where should `sessions` be **kept**?\n\nTwo ways:\n\n- a file\n- [Redis](https://example.org/redis)',
  options: [
    { label: '`redis` (Recommended)', description: 'It is **there**: [set-up](https://example.org/set-up)' },
    { label: '1. A [file](https://example.org/file)' },
  ],
}

it('shows Markdown: the first line is the heading and the name, the rest stands below', async () => {
  await openForm([STORE])
  const group = screen.getByRole('radiogroup', { name: 'Where should sessions be kept?' })
  const legend = group.querySelector('legend')
  expect(legend?.innerHTML).toBe('Where should <code>sessions</code> be <strong>kept</strong>?')
  expect(within(group).getAllByRole('listitem')).toHaveLength(2)
  expect(
    document.getElementById(group.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent,
  ).toContain('Two ways:')
  expect(screen.getByText('Redis').getAttribute('href')).toBe('https://example.org/redis')
})

it('shows an option by its label without the mark, and answers with the agent’s own label', async () => {
  await openForm([STORE], { autoSubmit: false })
  const recommended = screen.getByRole('radio', { name: 'redis', description: /^Recommended It is there/ })
  await userEvent.click(recommended)
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({ store: { selected: ['`redis` (Recommended)'] } })
})

it('picks an option by its description, not by a link in it', async () => {
  await openForm([STORE], { autoSubmit: false })
  const redis = screen.getByRole<HTMLInputElement>('radio', { name: 'redis' })
  const link = screen.getByText('set-up')
  link.addEventListener('click', (event) => event.preventDefault())
  await userEvent.click(link)
  expect(redis.checked).toBe(false)
  await userEvent.click(screen.getByText('there'))
  expect(redis.checked).toBe(true)
})

it('has no list and no link in a label', async () => {
  await openForm([STORE])
  const file = screen.getByRole('radio', { name: /^1\. A file\s+\(example\.org\)$/ })
  expect(file.closest('label')?.querySelector('a, li')).toBeNull()
})

it('shows plain texts as they are written', async () => {
  await openForm([
    { id: 'q', question: '**a**\n- b', textFormat: 'plain', options: [{ label: '_a_', description: '`c`' }] },
  ])
  expect(screen.getByRole('radiogroup', { name: '**a**' }).querySelector('strong, li, em, code')).toBeNull()
  expect(screen.getByRole('radio', { name: '_a_', description: '`c`' })).toBeTruthy()
})

it('names a question that begins with code by its first words, and shows it whole', async () => {
  await openForm([{ id: 'q', question: '```ts\nf()\n```\nIs this right?' }])
  await waitFor(() => expect(document.querySelector('pre code')?.textContent).toBe('f()'))
  expect(textbox('f()')).toBeTruthy()
  expect(screen.getByText('Is this right?')).toBeTruthy()
})

it('shows Markdown in the review and afterwards', async () => {
  await openForm([STORE, { id: 'why', question: 'And *why*?' }])
  await userEvent.click(option('redis'))
  await userEvent.click(screen.getAllByRole('button', { name: 'Review' })[0] as HTMLElement)
  const terms = [...document.querySelectorAll('dt')]
  expect(terms.map((term) => term.querySelector('code, em')?.textContent)).toEqual(['sessions', 'why'])
  expect(document.querySelector('.sa-picked')?.innerHTML).toBe('<code>redis</code>')
  expect(screen.getByRole('button', { name: 'Change: And why?' })).toBeTruthy()
})
