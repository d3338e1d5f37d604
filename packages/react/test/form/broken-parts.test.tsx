import type { Question } from '@sandagent/core'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactElement, useEffect } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AnswerTransport, AskUserQuestion, type FormPartProps } from '../../src/index.ts'
import { partAsking } from '../question-card.tsx'
import {
  completed,
  type FormOptions,
  host,
  openForm,
  option,
  press,
  serverForEach,
  textbox,
} from './form-fixture.tsx'

serverForEach()

const LANGUAGE: Question = {
  id: 'language',
  question: 'Which **language**?\nFor the tests.',
  options: [{ label: 'TypeScript' }, { label: 'Python' }],
}

const reported: unknown[] = []
beforeEach(() => {
  reported.length = 0
  vi.spyOn(console, 'error').mockImplementation((...what) => reported.push(what))
})
afterEach(() => vi.restoreAllMocks())

const Broken = (): ReactElement => {
  throw new Error('broken part')
}

const BrokenWhenPicked = ({ form }: FormPartProps): ReactElement => {
  if (form.ask.answeredCount > 0) throw new Error('broken part')
  return <>My status</>
}

const BrokenLater = (): null => {
  useEffect(() => {
    throw new Error('broken effect')
  })
  return null
}

/** A page with a form and a text of its own. */
const openPage = async (props: Partial<FormOptions>): Promise<void> => {
  render(
    <main>
      <p>The page</p>
      <AskUserQuestion part={partAsking(LANGUAGE)} answerEndpoint={host().url} {...props} />
    </main>,
  )
  await waitFor(() => expect(reported.length).toBeGreaterThan(0))
}

it('uses its own part where a replaced one fails, keeps the entries, and sends the answer', async () => {
  const components = { Status: BrokenWhenPicked }
  await openForm([LANGUAGE], { components, autoSubmit: false })
  expect(screen.getByText('My status')).toBeTruthy()
  await userEvent.click(option('Python'))
  await waitFor(() => expect(screen.queryByText('My status')).toBeNull())
  expect(option('Python').checked).toBe(true)
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({ language: { selected: ['Python'] } })
})

it.each(['Title', 'Question', 'Option', 'Text', 'Actions', 'Button', 'Status'] as const)(
  'stays a form on a page where the part fails: %s',
  async (name) => {
    await openPage({ components: { [name]: Broken } })
    expect(screen.getByText('The page')).toBeTruthy()
    await waitFor(() => expect(option('Python').matches(':disabled')).toBe(false))
    expect(screen.getByRole('button', { name: 'Decline' })).toBeTruthy()
  },
)

it('goes on without the texts of the page where one fails', async () => {
  const about = (): string => {
    throw new Error('broken label')
  }
  await openPage({ labels: { about, ownAnswer: 'Eigene Antwort' } })
  await waitFor(() =>
    expect(textbox('Type your own answer: Which language?').matches(':disabled')).toBe(false),
  )
  expect(screen.getByText('The page')).toBeTruthy()
})

it('survives an error after it was shown', async () => {
  await openPage({ components: { Note: BrokenLater } })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add a note' })).toBeTruthy())
  expect(screen.getByText('The page')).toBeTruthy()
})

it('shows the question as text where nothing else works', async () => {
  const transport = {
    get subscribe(): never {
      throw new Error('broken transport')
    },
  } as unknown as AnswerTransport
  await openPage({ transport })
  const form = await screen.findByRole('region', { name: 'This form has failed. Reload the page to answer.' })
  expect(form.textContent).toContain('Which **language**?')
  expect(form.textContent).toContain('• Python')
  expect(screen.getByText('The page')).toBeTruthy()
})
