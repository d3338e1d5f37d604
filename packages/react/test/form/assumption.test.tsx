import type { Question, QuestionView } from '@sandagent/core'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openForm, press, serverForEach, status, stored } from './form-fixture.tsx'

serverForEach()

const DATABASE: Question & { id: string } = {
  id: 'db',
  question: 'Which database?',
  options: [{ label: 'Postgres', value: 'pg' }, { label: 'SQLite' }],
  defaultOption: 'pg',
}
const NAME = { id: 'name', question: 'Which name?', defaultText: 'app' }
const FREE = { id: 'free', question: 'Anything else?' }

const GOES_ON = 'The agent goes on with “Postgres” until you say otherwise'

async function open(questions: (Question & { id: string })[], view: Partial<QuestionView> = {}) {
  const form = await openForm(questions)
  await form.show({ blocking: false, ...view })
  return form
}

/** The answer that is sent, after a draft of the same. */
async function sent(responses: object): Promise<void> {
  const [, body] = await stored(2)
  expect(body).toMatchObject({ status: 'completed', responses })
}

describe('a form whose agent does not wait', () => {
  it('says what the agent goes on with, and lets it stand by one press', async () => {
    const form = await open([DATABASE])
    await screen.findByText(GOES_ON)
    expect(screen.queryByText('The agent waits for you')).toBeNull()
    await press('Let it stand')
    await sent({ db: { selected: ['pg'], source: 'human' } })
    await form.show({ state: 'answered', responses: { db: { selected: ['pg'], source: 'human' } } })
    await waitFor(() => expect(screen.queryByText(GOES_ON)).toBeNull())
  })

  it('lets all of a form stand, also what is typed', async () => {
    await open([DATABASE, NAME])
    await screen.findByText('Which database?: The agent goes on with “Postgres” until you say otherwise')
    await press('Let it stand')
    await sent({ db: { selected: ['pg'] }, name: { freeText: 'app' } })
  })

  it('does not offer that where something is not assumed, or something else is entered', async () => {
    await open([DATABASE, FREE])
    await screen.findByText('Anything else?: The agent goes on without an answer until you give one')
    expect(screen.queryByRole('button', { name: 'Let it stand' })).toBeNull()
  })

  it('folds a long one, so that the question stays in sight', async () => {
    await open([{ ...NAME, defaultText: 'so long '.repeat(2000).trim() }])
    const shown = await screen.findByText(/until you say otherwise/)
    expect(shown.closest('.sa-clamp')?.getAttribute('data-open')).toBeNull()
  })

  it.each<[string, Partial<QuestionView>, string]>([
    [
      'comes back',
      { comesBack: true },
      'The agent is not here now. It looks for your answer when it is back',
    ],
    ['has ended', {}, 'The agent is gone. Your answer is kept until it is started again'],
  ])('says what an agent went on with that %s', async (_, view, reader) => {
    await open([DATABASE], { runEnded: true, ...view })
    await screen.findByText('The agent went on with “Postgres”')
    await screen.findByText(reader)
    expect(screen.queryByText(GOES_ON)).toBeNull()
  })

  it('says nothing of it where the agent waits', async () => {
    const form = await openForm([DATABASE])
    await form.show({})
    await status('The agent waits for you')
    expect(screen.queryByText(GOES_ON)).toBeNull()
  })

  it('shows signs that would hide what is assumed', async () => {
    await open([{ ...NAME, defaultText: 'a\u202eb' }])
    const shown = await screen.findByText(/until you say otherwise/)
    expect(shown.textContent).not.toContain('\u202e')
  })
})
