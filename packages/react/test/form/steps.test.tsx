import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { FEATURES, LANGUAGE, LICENCE } from '../question-card.tsx'
import {
  alert,
  button,
  completed,
  focused,
  keys,
  NAME,
  openForm,
  option,
  posts,
  press,
  serverForEach,
  status,
  stored,
  textbox,
} from './form-fixture.tsx'

serverForEach()

const chip = (name: string) => within(screen.getByRole('list')).getByRole('button', { name })
const current = () =>
  within(screen.getByRole('list'))
    .getAllByRole('button')
    .find((element) => element.getAttribute('aria-current'))?.textContent

it('shows no chips and no review for one question', async () => {
  await openForm([FEATURES])
  expect(screen.queryByRole('list')).toBeNull()
  expect(button('Send answer')).toBeTruthy()
})

it('goes through several questions by Next and Back, and the focus goes along', async () => {
  await openForm([FEATURES, LANGUAGE, NAME])
  expect(current()).toBe('Question 1 of 3')
  await press('Next')
  expect(focused()).toBe(option('TypeScript'))
  await press('Next')
  expect(focused()).toBe(textbox('Which name?'))
  expect(current()).toBe('Name')
  await press('Back')
  await press('Back')
  expect(focused()).toBe(option('Tests'))
  expect(posts()).toEqual([])
})

it('has a menu that says the place of a question once, where it has no header', async () => {
  await openForm(Array.from({ length: 8 }, (_, at) => ({ question: `Q${at}?` })))
  const menu = screen.getByRole<HTMLSelectElement>('combobox', { name: '8 questions' })
  expect([...menu.options].map(({ textContent }) => textContent).slice(0, 2)).toEqual(['1 / 8', '2 / 8'])
})

it('has a menu in the place of chips from eight questions on, which keeps the focus', async () => {
  const questions = Array.from({ length: 8 }, (_, n) => ({ ...NAME, id: `${n}`, header: `H${n + 1}` }))
  await openForm(questions)
  expect(screen.queryByRole('list')).toBeNull()
  const menu = screen.getByRole<HTMLSelectElement>('combobox', { name: '8 questions' })
  const entries = (): (string | null)[] => [...menu.options].map(({ textContent }) => textContent)
  expect(entries()).toHaveLength(9)
  expect(entries().at(-1)).toBe('Review')
  await userEvent.type(textbox('Which name?'), 'Zig')
  expect(entries()[0]).toBe('1 / 8  H1  ✓')
  await userEvent.selectOptions(menu, '3 / 8  H3')
  expect(focused()).toBe(menu)
  expect(textbox('Which name?').value).toBe('')
  expect(screen.getByText('Question 3 of 8', { selector: '.sa-title *' })).toBeTruthy()
  // Digits and letters search in the menu.
  await keys('n1')
  expect(focused()).toBe(menu)
  await press('Next')
  expect(menu.value).toBe('3')
  expect(focused()).toBe(textbox('Which name?'))
})

it('leads back to what is picked already', async () => {
  await openForm([FEATURES, LANGUAGE])
  await userEvent.click(option('README, with usage'))
  await press('Next')
  await press('Back')
  expect(focused()).toBe(option('README, with usage'))
})

it('goes on by itself after a click on a single choice, and sends an all-single-choice set with the last', async () => {
  await openForm([LANGUAGE, LICENCE])
  await userEvent.click(option('Python'))
  expect(focused()).toBe(option('MIT'))
  await userEvent.click(option('MIT'))
  expect((await stored(2)).map((body) => body.status)).toEqual(['pending', 'completed'])
})

it('takes the second click of a double click for none, where the first led to another question', async () => {
  await openForm([LANGUAGE, FEATURES])
  await userEvent.click(option('Python'))
  fireEvent.click(option('Tests'), { detail: 2 })
  expect(option('Tests').checked).toBe(false)
  fireEvent.click(option('Tests'), { detail: 1 })
  expect(option('Tests').checked).toBe(true)
})

it('moves between questions by arrow keys from a chip, not from a radio', async () => {
  await openForm([LANGUAGE, NAME])
  chip('Question 1 of 2').focus()
  await keys('{ArrowRight}')
  expect(current()).toBe('Name')
  await press('Back')
  chip('Name').focus()
  await keys('{ArrowLeft}')
  expect(current()).toBe('Question 1 of 2')
})

it('warns in the review about what is open, leads there, and takes a partial answer', async () => {
  await openForm([FEATURES, LANGUAGE, NAME])
  await userEvent.click(option('Tests'))
  await userEvent.click(chip('Review'))
  const review = screen.getByRole('group', { name: /^Check your answers/ })
  expect(focused()).toBe(review)
  expect(review.textContent).toContain('2 questions still need an answer.')
  await userEvent.click(button('Change: Which language?'))
  expect(focused()).toBe(option('TypeScript'))
  await userEvent.click(chip('Review'))
  await press('Send anyway')
  const bodies = await stored(2)
  expect(bodies[1]).toMatchObject({
    status: 'completed',
    responses: { q1: { selected: ['Tests'] }, q2: { skipped: true }, name: { skipped: true } },
  })
})

it('sends from the review by Enter, and leads the focus to where it is told how it went', async () => {
  await openForm([FEATURES, NAME])
  await userEvent.click(option('Tests'))
  await press('Next')
  await userEvent.type(textbox('Which name?'), 'Zig{Enter}')
  expect(screen.getByRole('group', { name: 'Check your answers' }).textContent).toContain('Zig')
  await keys('{Enter}')
  expect(focused()).toBe(screen.getByRole('status'))
  expect((await completed()).responses).toMatchObject({
    q1: { selected: ['Tests'] },
    name: { freeText: 'Zig' },
  })
})

it('skips a question on purpose, and takes that back when it is answered', async () => {
  await openForm([FEATURES, NAME])
  await press('Skip')
  expect(focused()).toBe(textbox('Which name?'))
  expect(chip('Question 1 of 2, Skipped')).toBeTruthy()
  expect((await stored(1))[0]?.responses).toEqual({ q1: { skipped: true } })
  await press('Back')
  await userEvent.click(option('Tests'))
  expect(chip('Question 1 of 2, Answered')).toBeTruthy()
})

it('leads to the first question that is missing when all are shown at once, and says so', async () => {
  await openForm([{ ...FEATURES, required: false }, LANGUAGE, NAME], { layout: 'all' })
  await press('Send answer')
  expect(focused()).toBe(option('TypeScript'))
  const group = screen.getByRole('radiogroup', { name: 'Which language?' })
  expect(group.getAttribute('aria-invalid')).toBe('true')
  const described = group.getAttribute('aria-describedby')?.split(' ') ?? []
  const description = described.map((id) => document.getElementById(id)?.textContent ?? '')
  expect(description.join(' ')).toContain('This needs an answer')
  expect(alert()).toContain('2 questions still need an answer.')
  expect(posts()).toEqual([])

  await userEvent.click(option('Python'))
  expect(group.getAttribute('aria-invalid')).toBeNull()
  expect(textbox('Which name?').getAttribute('aria-invalid')).toBe('true')
  await press('Send anyway')
  await stored(2)
  await status('Sent')
  expect(posts()[1]?.body.responses).toMatchObject({ q2: { selected: ['Python'] }, name: { skipped: true } })
})

it('keeps what was typed when a single choice is picked instead, and says that it is not sent', async () => {
  await openForm([LANGUAGE, NAME])
  const own = textbox('Type your own answer: Which language?')
  await userEvent.type(own, 'Zig')
  option('Python').focus()
  await keys(' ')
  expect(own.value).toBe('Zig')
  expect(document.body.textContent).toContain('Kept, but not sent')
})

it('combines what was typed with the options of a multiple choice', async () => {
  await openForm([FEATURES])
  await userEvent.type(textbox('Type your own answer: Which features?'), 'A manual')
  await userEvent.click(option('Tests'))
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({ q1: { selected: ['Tests'], freeText: 'A manual' } })
})

it('offers only to decline where sending would say nothing', async () => {
  await openForm([FEATURES, NAME])
  await press('Skip')
  await press('Skip')
  expect(screen.getByRole('group', { name: /^Check your answers/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull()
  await keys('{Enter}')
  expect(document.body.textContent).toContain('Decline to answer?')
  expect(focused()).toBe(button('Keep answering'))
  expect(posts().every(({ body }) => body.status === 'pending')).toBe(true)
})
