import { parseQuestions, type Question, type TypedAnswer } from '@sandagent/core'
import { validateResponses } from '@sandagent/core/internal'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { host, openForm, posts, press, serverForEach } from './form-fixture.tsx'

serverForEach()
afterEach(() => vi.unstubAllEnvs())

const TITLE = 'What suits you?'

/** Opens a form with one question, and gives what is sent, as the host takes it. */
async function openTyped(typed: TypedAnswer, more: Partial<Question> = {}) {
  host().onPost = ({ succeed }) => succeed()
  const question = { question: TITLE, typed, ...more }
  await openForm([question])
  return {
    async sent(): Promise<string | undefined> {
      await press('Send answer')
      await waitFor(() => expect(posts().at(-1)?.body).toMatchObject({ status: 'completed' }))
      const answer = posts().at(-1)?.body.answers as Record<string, string> | undefined
      const freeText = answer?.[TITLE]
      const responses = { q1: { selected: [], freeText, source: 'human' as const } }
      expect(validateResponses(parseQuestions([question]), responses, { final: true })).toEqual([])
      return freeText
    },
  }
}

const described = (element: Element): string =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')

it('a number goes up and down by the arrow keys, within its limits, and is read with its unit', async () => {
  const form = await openTyped({ kind: 'number', min: 0, max: 1, step: 0.1, unit: 's' })
  const field = await screen.findByRole('spinbutton', { name: TITLE })
  expect(described(field)).toContain('A number from 0 to 1, in steps of 0.1 (s)')
  await userEvent.type(field, '{ArrowDown}{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(field).toHaveProperty('value', '0.3')
  expect(field.getAttribute('aria-valuenow')).toBe('0.3')
  expect(field.getAttribute('aria-valuetext')).toBe('0.3 s')
  expect(await form.sent()).toBe('0.3')
})

it('the limits of a date keep their own direction, and the zone of a moment is read with its field', async () => {
  await openTyped({
    kind: 'date-time',
    zone: true,
    earliest: '2026-01-01T00:00Z',
    latest: '2026-12-31T00:00Z',
  })
  const field = await screen.findByLabelText(TITLE)
  await waitFor(() =>
    expect(described(field)).toMatch(/Possible: from \u2068.*2026.*\u2069 to \u2068.*2026.*\u2069/),
  )
  expect(described(field)).toContain('Time in ')
  expect(screen.getByText(/^Possible/).dir).toBe('auto')
})

it('where several questions are in sight, each button of a question says which one it is for', async () => {
  const [one, two] = [{ question: 'How long?' }, { question: 'How good?' }]
  await openForm([one, two], { layout: 'all' })
  for (const name of ['Add a note', 'Skip'])
    expect(screen.getAllByRole('button', { name }).map(described)).toEqual([one.question, two.question])
})

it('a number is shown with its unit before it is sent', async () => {
  host().onPost = ({ succeed }) => succeed()
  const wait = { question: 'How long?', typed: { kind: 'number', unit: 'ms' } } as const
  const rating = { question: 'How good?', typed: { kind: 'number', min: 1, max: 5, show: 'rating' } } as const
  await openForm([wait, rating], { layout: 'all' })
  await userEvent.type(await screen.findByRole('spinbutton'), '250')
  await userEvent.click(await screen.findByRole('radio', { name: '4 of 5' }))
  await press('Send answer')
  const texts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)
  await waitFor(() => expect(texts()).toEqual(['250 ms', '4 of 5']))
})

it('a comma is kept, and refused with a reason that the field is described by', async () => {
  await openTyped({ kind: 'number', max: 100 })
  const field = await screen.findByRole('spinbutton', { name: TITLE })
  await userEvent.type(field, '20,5')
  await press('Send answer')
  expect(await screen.findByText(/write 20\.5, not 20,5/)).toBeTruthy()
  expect(described(field)).toContain('Enter a number, at most 100: write 20.5, not 20,5')
  expect(field).toHaveProperty('value', '20,5')
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

it('a slider that nobody has moved is no answer; where it stands is one once it is pressed', async () => {
  const form = await openTyped({ kind: 'number', min: 10, max: 20, step: 5, unit: '%', show: 'slider' })
  const slider = await screen.findByRole('slider', { name: TITLE })
  expect(slider.getAttribute('aria-valuetext')).toBe('Not chosen yet')
  await press('Send answer')
  expect(await screen.findByText('This needs an answer')).toBeTruthy()
  await userEvent.click(slider)
  expect(slider.getAttribute('aria-valuetext')).toBe('10 %')
  fireEvent.change(slider, { target: { value: '15' } })
  expect(slider.getAttribute('aria-valuetext')).toBe('15 %')
  expect(await form.sent()).toBe('15')
})

it('a rating is a group of radios, in which a digit is its number', async () => {
  const form = await openTyped({ kind: 'number', min: 0, max: 5, show: 'rating' })
  const group = await screen.findByRole('radiogroup', { name: TITLE })
  expect(group.querySelectorAll('input[type=radio]')).toHaveLength(6)
  screen.getByRole('radio', { name: '0' }).focus()
  await userEvent.keyboard('3')
  expect(screen.getByRole('radio', { name: '3' })).toHaveProperty('checked', true)
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: '3' }))
  await userEvent.keyboard('9')
  expect(await form.sent()).toBe('3')
})

it.each<[TypedAnswer, string, string]>([
  [{ kind: 'date', earliest: '2026-01-01' }, 'date', '2026-01-31'],
  [{ kind: 'time' }, 'time', '14:30'],
  [{ kind: 'date-time' }, 'datetime-local', '2026-01-31T14:30'],
  [{ kind: 'email' }, 'email', 'a.person@example.com'],
  [{ kind: 'uri' }, 'url', 'https://example.com/'],
])('%j is the field of the browser', async (typed, type, value) => {
  const form = await openTyped(typed)
  await waitFor(() => expect(document.querySelector(`input[type=${type}]`)).toBeTruthy())
  const field = screen.getByLabelText(TITLE)
  expect(field).toHaveProperty('type', type)
  fireEvent.change(field, { target: { value } })
  expect(await form.sent()).toBe(value)
})

it('an address of any scheme is an answer, and never a link', async () => {
  const form = await openTyped({ kind: 'uri' })
  await waitFor(() => expect(document.querySelector('input[type=url]')).toBeTruthy())
  fireEvent.change(screen.getByLabelText(TITLE), { target: { value: 'javascript:alert(1)' } })
  expect(await form.sent()).toBe('javascript:alert(1)')
  expect(await screen.findByText(/javascript:alert\(1\)/)).toBeTruthy()
  expect(document.querySelector('[href], [src], [action]')).toBeNull()
})

it('a moment has the offset of this browser on that day', async () => {
  const form = await openTyped({ kind: 'date-time', zone: true })
  await waitFor(() => expect(document.querySelector('input[type=datetime-local]')).toBeTruthy())
  fireEvent.change(screen.getByLabelText(TITLE), { target: { value: '2026-07-31T14:30' } })
  const sent = await form.sent()
  expect(sent).toMatch(/^2026-07-31T14:30[+-]\d\d:\d\d$/)
  expect(new Date(sent ?? '').getTime()).toBe(new Date('2026-07-31T14:30').getTime())
})

it('a moment that clocks show twice is chosen, and one that they pass over is refused', async () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const form = await openTyped({ kind: 'date-time', zone: true })
  await waitFor(() => expect(document.querySelector('input[type=datetime-local]')).toBeTruthy())
  const field = screen.getByLabelText(TITLE)
  fireEvent.change(field, { target: { value: '2026-03-29T02:30' } })
  expect(field).toHaveProperty('value', '2026-03-29T02:30')
  await press('Send answer')
  expect(await screen.findByText('Clocks go forward over this time: choose another one')).toBeTruthy()
  fireEvent.change(field, { target: { value: '2026-10-25T02:30' } })
  expect(described(field)).toContain('Time in Europe/Berlin (UTC+02:00)')
  const which = screen.getByRole('combobox', { name: 'Clocks show this time twice' })
  await userEvent.selectOptions(which, 'After clocks go back (UTC+01:00)')
  fireEvent.keyUp(field)
  expect(described(field)).toContain('Time in Europe/Berlin (UTC+01:00)')
  expect(await form.sent()).toBe('2026-10-25T02:30+01:00')
})

it('the limits of a local time are shown as they are, also where no clock of this browser shows them', async () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  await openTyped({ kind: 'date-time', earliest: '2026-03-29T02:30' })
  expect((await screen.findByText(/^Possible/)).textContent).toContain('2:30')
})

it('a number that means two things is not marked as an answer, and is sent once it means one', async () => {
  const form = await openTyped({ kind: 'number' })
  const field = await screen.findByRole('spinbutton')
  await userEvent.type(field, '1.500')
  await press('Send answer')
  expect(
    await screen.findByText('Enter a number: write 1500 or 1.5, because 1.500 means either'),
  ).toBeTruthy()
  expect(document.querySelector('.sa-own[data-checked]')).toBeNull()
  await userEvent.clear(field)
  await userEvent.type(field, '1500')
  await waitFor(() => expect(document.querySelector('.sa-own[data-checked]')).toBeTruthy())
  expect(await form.sent()).toBe('1500')
})

it.each<[TypedAnswer, string]>([
  [{ kind: 'number', min: 1, step: 1 }, 'numeric'],
  [{ kind: 'number', step: 1 }, 'text'],
  [{ kind: 'number', min: 0 }, 'text'],
])('%j has the keys of a phone that it needs: %s', async (typed, mode) => {
  await openTyped(typed)
  expect((await screen.findByRole('spinbutton')).getAttribute('inputmode')).toBe(mode)
})

it.each<TypedAnswer>([{ kind: 'number' }, { kind: 'uri' }])(
  '%j runs from left to right, also where text runs the other way: a minus stays before its number',
  async (typed) => {
    await openTyped(typed)
    await waitFor(() => expect(document.querySelector('input.sa-input')).toBeTruthy())
    expect(screen.getByLabelText(TITLE)).toHaveProperty('dir', 'ltr')
  },
)

it('a range has two fields, and needs both', async () => {
  const form = await openTyped({ kind: 'number', min: 0, max: 9, range: true })
  const from = await screen.findByRole('spinbutton', { name: `From: ${TITLE}` })
  await userEvent.type(from, '2')
  await press('Send answer')
  expect(await screen.findByText(/from and to in this order.*: the second is missing$/)).toBeTruthy()
  await userEvent.type(screen.getByRole('spinbutton', { name: `To: ${TITLE}` }), '7')
  expect(await form.sent()).toBe('2/7')
})

it('a text that does not fit is no answer that is counted', async () => {
  await openTyped({ kind: 'number', max: 5 })
  const field = await screen.findByRole('spinbutton')
  await userEvent.type(field, '4')
  expect(await screen.findByText(/1 of 1 answered/)).toBeTruthy()
  await userEvent.type(field, '9')
  await waitFor(() => expect(screen.queryByText(/1 of 1/)).toBeNull())
  await waitFor(() => expect(posts().at(-1)?.body.responses).toMatchObject({ q1: { freeText: '49' } }))
  expect(screen.queryByText(/1 of 1/)).toBeNull()
  await press('Send answer')
  expect(await screen.findByText('Enter a number, at most 5')).toBeTruthy()
  expect(screen.queryByText(/1 of 1/)).toBeNull()
})

it('a date that is entered in part is not sent, also where it is optional', async () => {
  await openTyped({ kind: 'date' }, { required: false })
  await waitFor(() => expect(document.querySelector('input[type=date]')).toBeTruthy())
  const field = screen.getByLabelText(TITLE)
  Object.defineProperty(field, 'validity', { value: { badInput: true }, configurable: true })
  fireEvent.keyUp(field)
  await press('Send answer')
  expect(await screen.findByText('Something is missing here, or it is not in the calendar')).toBeTruthy()
  expect(posts().some(({ body }) => body.status === 'completed')).toBe(false)
})

it('words of another language replace those of the field', async () => {
  host().onPost = ({ succeed }) => succeed()
  const labels = { typedHint: () => 'Eine Zahl', misfit: () => 'Bitte eine Zahl' }
  await openForm([{ question: TITLE, typed: { kind: 'number' } }], { labels })
  expect(await screen.findByText('Eine Zahl')).toBeTruthy()
  await userEvent.type(screen.getByRole('spinbutton'), 'x')
  await press('Send answer')
  expect(await screen.findByText(/Bitte eine Zahl/)).toBeTruthy()
})

it('the keys that are named work in a field of one line, and lead to it', async () => {
  const shortcuts = () => document.querySelector('.sa-shortcuts')?.textContent ?? ''
  await openTyped({ kind: 'number' }, { options: [{ label: '5' }, { label: '10' }] })
  const field = await screen.findByRole('spinbutton')
  screen.getByRole('radio', { name: '5' }).focus()
  await userEvent.keyboard('3')
  expect(document.activeElement).toBe(field)
  await waitFor(() => expect(shortcuts()).toContain('send'))
  expect(shortcuts()).not.toContain('new line')
})

it('a rating names the digits that pick', async () => {
  await openTyped({ kind: 'number', min: 1, max: 5, show: 'rating' })
  ;(await screen.findByRole('radio', { name: '1 of 5' })).focus()
  await waitFor(() => expect(document.querySelector('.sa-shortcuts')?.textContent).toContain('1–5 pick'))
})

it('a question is marked as answered once what was entered fits', async () => {
  await openForm([{ question: TITLE, typed: { kind: 'number', max: 500 } }, { question: 'Why?' }])
  const field = await screen.findByRole('spinbutton', { name: TITLE })
  const step = screen.getByRole('button', { name: /^\W*Question 1 of 2/ })
  await userEvent.type(field, '501')
  await waitFor(() => expect(field).toHaveProperty('value', '501'))
  expect(step.dataset.state).toBeUndefined()
  await userEvent.type(field, '{Backspace}')
  await waitFor(() => expect(step.dataset.state).toBe('answered'))
})
