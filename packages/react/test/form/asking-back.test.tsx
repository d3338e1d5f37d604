import type { QuestionView } from '@sandagent/core'
import { createToolParts } from '@sandagent/testing'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { AskUserQuestion, ToolApproval } from '../../src/index.ts'
import { partAsking } from '../question-card.tsx'
import {
  arrived,
  focused,
  host,
  keys,
  openForm,
  posts,
  press,
  serverForEach,
  status,
  stored,
  viewOf,
} from './form-fixture.tsx'

serverForEach()

const COLOUR = { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const THREAD: QuestionView['thread'] = [
  { question: 'What is it for?', isOwn: true, name: 'ada', reply: 'For the\u202eroof.' },
  { question: 'And the door?', name: 'bob' },
]

const field = (): Promise<HTMLElement> => screen.findByRole('textbox', { name: 'What you want to know' })

describe('a form whose agent takes questions', () => {
  const open = async (view: Partial<QuestionView> = {}) => {
    const form = await openForm([COLOUR])
    await form.show({ takesQuestions: true, ...view })
    await screen.findByRole('button', { name: 'Chat about this' })
    return form
  }

  it('sends what the person asks, and no answer', async () => {
    const form = await open()
    await press('Chat about this')
    expect(focused()).toBe(await field())
    await keys('What is it for?{Enter}')
    const [body] = await stored(1)
    expect(body).toMatchObject({
      status: 'declined',
      asksBack: true,
      reason: 'What is it for?',
      responses: {},
    })
    await status('Asked back')
    expect(focused()).toBe(screen.getByRole('status'))
    await form.show({ state: 'declined', declined: true, asksBack: true, reason: 'What is it for?' })
    await waitFor(() =>
      expect(screen.getByText('What is it for?').closest('div')?.textContent).toContain('Asked back'),
    )
  })

  it('sends nothing by a key of the form, or without words, and goes back to its button', async () => {
    await open()
    await press('Chat about this')
    await keys('{Enter}')
    await keys('1n?')
    await keys('{Shift>}{Enter}{/Shift}x')
    expect((await field()).textContent).toBe('1n?\nx')
    await keys('{Escape}')
    expect(focused()).toBe(screen.getByRole('button', { name: 'Chat about this' }))
    expect(posts()).toEqual([])
    await press('Chat about this')
    expect((await field()).textContent).toBe('1n?\nx')
    await press('Ask the agent')
    expect((await stored(1))[0]).toMatchObject({ reason: '1n?\nx' })
  })

  it('shows what was asked before as the host knows it, and the reply as words of the agent', async () => {
    await open({ thread: THREAD })
    const asked = await screen.findByText('What is it for?')
    expect(asked.closest('figure')?.textContent).toBe('You askedWhat is it for?')
    const reply = screen.getByText(/roof/).closest('figure')
    expect(reply?.className).toBe('sa-given')
    expect(reply?.textContent).toBe('The agent saysFor the<U+202E>roof.')
    expect(screen.getByText('And the door?').closest('figure')?.textContent).toContain('bob asked')
  })

  it('has words of one’s own for it', async () => {
    const part = partAsking(COLOUR)
    render(<AskUserQuestion part={part} answerEndpoint={host().url} labels={{ chat: 'Nachfragen' }} />)
    await arrived()
    await waitFor(() => expect(host().streams).toBe(1))
    host().show(viewOf(part, { takesQuestions: true }))
    await screen.findByRole('button', { name: 'Nachfragen' })
  })
})

it('a form whose agent takes no questions has no such button', async () => {
  const form = await openForm([COLOUR])
  await form.show({ revision: 1 })
  await screen.findByRole('button', { name: 'Decline' })
  expect(screen.queryByRole('button', { name: 'Chat about this' })).toBeNull()
})

describe('an approval', () => {
  it('can be asked about first, and says afterwards what was asked', async () => {
    const part = createToolParts([], { toolName: 'Bash', input: { command: 'ls' } }).waiting()
    render(<ToolApproval part={part} answerEndpoint={host().url} />)
    await waitFor(() => expect(host().streams).toBe(1))
    const options = [
      { value: 'allow-once', label: 'Allow once' },
      { value: 'deny', label: 'Deny' },
    ]
    const questions = [{ id: 'permission', question: 'May the agent use Bash?', options }]
    const asking = { ...part, input: { questions } }
    const subject = { toolName: 'Bash', input: { command: 'rm -r build' } }
    const view = { kind: 'approval' as const, subject, takesQuestions: true as const, thread: THREAD }
    host().show(viewOf(asking, view))
    const button = await screen.findByRole('button', { name: 'Ask first' })
    await waitFor(() => expect(button.matches(':disabled')).toBe(false))
    expect(screen.getByText('For the<U+202E>roof.')).toBeTruthy()
    await userEvent.click(button)
    await keys('What does this touch?')
    await press('Ask the agent')
    const [body] = await stored(1)
    expect(body).toMatchObject({ status: 'declined', asksBack: true, reason: 'What does this touch?' })
    expect(body).not.toHaveProperty('answers.May the agent use Bash?')
    host().show(
      viewOf(asking, {
        ...view,
        state: 'declined',
        declined: true,
        asksBack: true,
        reason: 'What does this touch?',
      }),
    )
    await waitFor(() =>
      expect(screen.getByRole('region').textContent).toMatch(/^Asked back.*What does this touch\?/),
    )
    expect(screen.getByRole('region').textContent).not.toContain('Denied')
  })
})
