import type { Question } from '@sandagent/core'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { expect, it } from 'vitest'
import type { AskComponents } from '../../src/index.ts'
import { LANGUAGE } from '../question-card.tsx'
import { focused, keys, openForm, option, serverForEach, status, stored, textbox } from './form-fixture.tsx'

serverForEach()

const FILES: Question = {
  id: 'file',
  question: 'Which file?',
  multiSelect: true,
  options: Array.from({ length: 50 }, (_, n) => ({ label: `module-${n + 1}.ts` })),
}
/** A part that somebody wrote for a page of theirs. */
function OptionWithMark({ form, question, option: { label } }: ComponentProps<AskComponents['Option']>) {
  return (
    <label>
      <input
        type="radio"
        checked={form.ask.isSelected(question.id, label)}
        onChange={() => form.pick(question, label)}
      />
      {label}!
    </label>
  )
}

/** The preview, once what renders it is loaded. */
const rendered = (element: string): Promise<HTMLElement> =>
  waitFor(() => {
    const preview = screen.getByRole('figure', { name: 'Preview: A' })
    expect(preview.querySelector(element)).not.toBeNull()
    return preview
  })

const labels = () => screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).value)

it('finds an option among fifty, keeps what is picked in sight, and Escape only clears the search', async () => {
  await openForm([FILES])
  expect(labels()).toHaveLength(50)
  await userEvent.click(option('module-7.ts'))
  const filter = screen.getByRole('searchbox', { name: 'Filter the options' })
  await userEvent.type(filter, 'MODULE-4')
  expect(labels()).toEqual([
    'module-4.ts',
    'module-7.ts',
    ...Array.from({ length: 10 }, (_, n) => `module-${40 + n}.ts`),
  ])
  expect(screen.getByText('11 of 50')).toBeTruthy()
  await keys('{Enter}')
  expect(focused()).toBe(option('module-4.ts'))
  filter.focus()
  await keys('{Escape}')
  expect(labels()).toHaveLength(50)
  expect(document.body.textContent).not.toContain('Decline to answer')
  await userEvent.type(filter, 'readme')
  expect(labels()).toEqual(['module-7.ts'])
  expect(screen.getByText('No option matches')).toBeTruthy()
})

it('has a field for words of one’s own beside previews, and none where the asker forbids it', async () => {
  const previews = { ...LANGUAGE, options: [{ label: 'A', preview: '# A' }] }
  await openForm([previews, { ...LANGUAGE, question: 'Strict?', allowFreeText: false }], { layout: 'all' })
  expect(screen.getAllByRole('textbox')).toEqual([textbox('Type your own answer: Which language?')])
})

it('renders Markdown previews without HTML of the agent, images of servers, or scripts behind links', async () => {
  const preview = [
    '**bold** <img src=x onerror=alert(1)> ![spy](https://example.org/p.png)',
    '[site](https://example.org) [bad](javascript:alert(1))',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
  ].join('\n')
  await openForm([{ ...LANGUAGE, options: [{ label: 'A', preview }] }])
  const shown = await rendered('strong')
  expect(shown.querySelector('strong')?.textContent).toBe('bold')
  expect(shown.querySelector('img, script')).toBeNull()
  expect(shown.textContent).toContain('<img src=x onerror=alert(1)>')
  expect(shown.querySelectorAll('td')).toHaveLength(2)
  const links = [...shown.querySelectorAll('a')]
  expect(links.map(({ href, rel, target }) => [href, rel, target])).toEqual([
    ['https://example.org/', 'noopener noreferrer nofollow', '_blank'],
  ])
  expect(links[0]?.textContent).toBe('site (example.org)')
  expect(shown.textContent).toContain('spy (https://example.org/p.png)')
})

it('leaves Enter and the arrows to a preview that is scrolled by keys', async () => {
  await openForm([{ ...LANGUAGE, options: [{ label: 'A', preview: 'a' }] }, FILES])
  const preview = screen.getByRole('figure')
  preview.tabIndex = 0
  preview.focus()
  await keys('{ArrowRight}{Enter}')
  expect(focused()).toBe(preview)
})

it('shows HTML previews in a frame that may do nothing', async () => {
  const preview = '<script>parent.document.title = "taken"</script><h1>Hello</h1>'
  await openForm([{ ...LANGUAGE, options: [{ label: 'A', preview }] }], { previewFormat: 'html' })
  const frame = () => screen.getByTitle('Preview: A')
  expect(frame().getAttribute('sandbox')).toBe('')
  await waitFor(() => expect(frame().hasAttribute('srcdoc')).toBe(true))
  expect(frame().getAttribute('sandbox')).toBe('')
  const html = frame().getAttribute('srcdoc')
  expect(html).toMatch(/^<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /)
  expect(html).toContain('<h1>Hello</h1>')
})

it('isolates what the agent wrote from the texts around it', async () => {
  await openForm([{ ...LANGUAGE, header: 'שפה', options: [{ label: 'עברית', description: 'ימין' }] }])
  for (const text of ['Which language?', 'עברית', 'ימין'])
    expect(screen.getByText(text).getAttribute('dir')).toBe('auto')
  expect(screen.getByText('שפה').tagName).toBe('BDI')
})

it('speaks in the words it is given, with parts that take the place of its own', async () => {
  await openForm([LANGUAGE], {
    labels: { pickOneToSend: 'Eine Antwort', waiting: 'Wartet' },
    components: { Option: OptionWithMark },
  })
  expect(screen.getByText('Eine Antwort')).toBeTruthy()
  await status('Wartet')
  await userEvent.click(option('Python!'))
  expect((await stored(1))[0]).toMatchObject({
    status: 'completed',
    responses: { q1: { selected: ['Python'] } },
  })
})
