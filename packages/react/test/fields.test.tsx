import type { AskedQuestion, Question } from '@sandagent/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type AskOptions,
  type UseAskUserQuestionOptions,
  useAskUserQuestion,
  useFields,
} from '../src/index.ts'
import { type AnswerServer, startAnswerServer } from './answer-server.ts'
import { FEATURES, LANGUAGE, partAsking } from './question-card.tsx'

let server: AnswerServer
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(() => server.close())

/** The least that is a form of one's own. */
function OwnForm(options: UseAskUserQuestionOptions) {
  const ask = useAskUserQuestion(options)
  const { choice, textField } = useFields(ask)
  const fieldset = (question: AskedQuestion) => (
    <fieldset key={question.id}>
      <legend>{question.question}</legend>
      {question.options?.map((option) => (
        <label key={option.label}>
          <input {...choice(question, option)} /> {option.label}
        </label>
      ))}
      <input {...textField(question)} />
    </fieldset>
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.submit()
      }}
    >
      {ask.questions.map(fieldset)}
      <button type="submit">Send</button>
      <p role="status">{ask.error?.message ?? ask.status}</p>
    </form>
  )
}

const open = (questions: Question[], options: AskOptions = {}) =>
  render(<OwnForm {...options} part={partAsking(...questions)} answerEndpoint={server.url} />)
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const checkbox = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const status = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
const posts = (count: number) => waitFor(() => expect(server.posts).toHaveLength(count))
const body = () => server.posts.at(-1)?.body

it('pick one option, any number of options, and take a text', async () => {
  server.onPost = ({ succeed }) => succeed()
  open([LANGUAGE, FEATURES, { question: 'Which name?' }])
  await userEvent.click(screen.getByText('Python'))
  await userEvent.click(checkbox('Tests'))
  await userEvent.click(checkbox('README, with usage'))
  await userEvent.click(checkbox('Tests'))
  await userEvent.type(textbox('Which name?'), 'Sandy')
  expect(radio('Python').checked).toBe(true)
  expect(radio('TypeScript').checked).toBe(false)
  expect(textbox('Which name?').value).toBe('Sandy')
  await userEvent.keyboard('{Enter}')
  await status('sent')
  expect(body()).toMatchObject({
    status: 'completed',
    answers: {
      'Which language?': 'Python',
      'Which features?': '"README, with usage"',
      'Which name?': 'Sandy',
    },
  })
  for (const field of [...screen.getAllByRole('radio'), ...screen.getAllByRole('textbox')])
    expect(field.matches(':disabled')).toBe(true)
})

it('send on a click, as autoSubmit says, and never on a key', async () => {
  open([LANGUAGE], { autoSubmit: 'immediately' })
  // As an arrow key does. The one of user-event needs CSS.escape, which jsdom does not have.
  fireEvent.keyDown(radio('TypeScript'), { key: 'ArrowDown' })
  fireEvent.click(radio('Python'))
  fireEvent.keyUp(radio('Python'), { key: 'ArrowDown' })
  await posts(1)
  expect(body()).toMatchObject({ status: 'pending', responses: { q1: { selected: ['Python'] } } })
  server.posts[0]?.succeed()
  await userEvent.click(screen.getByText('TypeScript'))
  await posts(2)
  expect(body()?.status).toBe('completed')
})

it('keep one group of radios for each question, and for each form that shows it', async () => {
  const part = partAsking(LANGUAGE, { ...LANGUAGE, id: 'again' })
  const { container } = render(
    [1, 2].map((form) => <OwnForm key={form} part={part} answerEndpoint={server.url} />),
  )
  const names = [...container.querySelectorAll<HTMLInputElement>('[type=radio]')].map(({ name }) => name)
  expect(new Set(names).size).toBe(4)
})

it('know options by their values', async () => {
  const options = [
    { label: 'Same', value: 'a' },
    { label: 'Same', value: 'b' },
  ]
  open([{ question: 'Which?', options, multiSelect: true }])
  await userEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement)
  await posts(1)
  expect(body()?.responses).toMatchObject({ q1: { selected: ['b'] } })
  expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([
    false,
    true,
  ])
})

it('say which answers are missing or refused', async () => {
  open([FEATURES, { question: 'How many?', typed: { kind: 'number', max: 5 }, placeholder: 'A number' }])
  await userEvent.type(textbox('How many?'), '7')
  expect(textbox('How many?').inputMode).toBe('decimal')
  expect(textbox('How many?').placeholder).toBe('A number')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  for (const field of [checkbox('Tests'), textbox('How many?')])
    expect(field.getAttribute('aria-invalid')).toBe('true')
  await userEvent.click(checkbox('Tests'))
  expect(checkbox('Tests').hasAttribute('aria-invalid')).toBe(false)
})

it('never call a radio invalid, for its group is', async () => {
  open([LANGUAGE])
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await status('Not answered yet: Which language?')
  expect(radio('Python').hasAttribute('aria-invalid')).toBe(false)
})

it('hide the text where none is allowed', () => {
  open([{ ...LANGUAGE, allowFreeText: false }])
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('replace a pick by a text, and a text by a pick', async () => {
  server.onPost = ({ succeed }) => succeed()
  open([LANGUAGE], { autoSubmit: false })
  await userEvent.click(radio('Python'))
  await userEvent.type(textbox('Which language?'), 'Zig')
  expect(radio('Python').checked).toBe(false)
  await userEvent.click(radio('Python'))
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await status('sent')
  expect(body()?.answers).toEqual({ 'Which language?': 'Python' })
})
