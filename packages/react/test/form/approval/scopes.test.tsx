import type { AnswerTransport, QuestionView } from '@sandagent/core'
import { approvalQuestion, type PageAnswer } from '@sandagent/core/internal'
import { createToolParts } from '@sandagent/testing'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ToolApproval } from '../../../src/index.ts'
import { viewOf } from '../form-fixture.tsx'

const SCOPES = [
  { id: 'exact', covers: 'Exactly the command `node a.js`, until this run ends.' },
  { id: 'node', covers: 'Every command that starts with `node`, for 10 minutes. `node` can run any code.' },
]

/** An approval of a host with grants, and what is sent to it. */
function open(more: Partial<QuestionView>): { sent: PageAnswer[] } {
  const part = createToolParts([], { toolName: 'Bash', input: {} }).waiting()
  const question = {
    ...approvalQuestion('Bash', { sessionScope: 'Until the session ends: Bash' }),
    id: 'permission',
  }
  const asking = { ...part, input: { questions: [question] } }
  const sent: PageAnswer[] = []
  const transport: AnswerTransport = {
    async send(answer) {
      sent.push(answer)
      return {}
    },
    subscribe(_, onView) {
      onView(
        viewOf(asking, {
          kind: 'approval',
          subject: { toolName: 'Bash', input: { command: 'node a.js' } },
          ...more,
        }),
      )
      return () => {}
    },
  }
  render(<ToolApproval part={part} transport={transport} />)
  return { sent }
}

const enabled = async (name: string): Promise<HTMLElement> => {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button.matches(':disabled')).toBe(false))
  return button
}

/** A text that is in sight, whatever marks its parts. */
const shown = (text: string): HTMLElement =>
  screen.getByText((_, element) => element?.textContent === text, { selector: '.sa-reason, span' })

it('offers what the host offers, each button in full, instead of the agent’s own session', async () => {
  const { sent } = open({ scopes: SCOPES })
  await userEvent.click(await screen.findByText('Allow more than this call'))
  const list = screen.getByRole('list')
  expect(
    within(list)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Exactly the command node a.js, until this run ends.',
    'Every command that starts with node, for 10 minutes. node can run any code.',
  ])
  expect(screen.queryByRole('button', { name: 'Allow for this session' })).toBeNull()
  expect(screen.queryByText(/Until the session ends/)).toBeNull()
  await userEvent.click(
    await enabled('Every command that starts with node, for 10 minutes. node can run any code.'),
  )
  await waitFor(() => expect(sent.at(-1)?.status).toBe('completed'))
  expect(sent.at(-1)).toMatchObject({
    scope: 'node',
    responses: { permission: { selected: ['allow-once'] } },
  })
})

it('offers nothing more where the host has no grants', async () => {
  open({})
  await enabled('Allow for this session')
  expect(screen.queryByText('Allow more than this call')).toBeNull()
})

it('allows no more than the call by the other buttons', async () => {
  const { sent } = open({ scopes: SCOPES })
  await userEvent.click(await enabled('Allow once'))
  await waitFor(() => expect(sent.at(-1)?.status).toBe('completed'))
  expect(sent.at(-1)?.scope).toBeUndefined()
})

it('says why it asks again', async () => {
  open({
    scopes: SCOPES,
    asksAgain: 'The permission for every command that starts with `node` ended just now.',
  })
  await screen.findByText('It asks because')
  shown('The permission for every command that starts with node ended just now.')
})

it('says afterwards that a permission from before has allowed it, and which', async () => {
  open({
    state: 'answered',
    responses: { permission: { selected: ['allow-once'], source: 'human' } },
    answeredBy: 'ada',
    grant: { id: '1', covers: 'Every command that starts with `node`, until its run ends.' },
  })
  await screen.findByText('Allowed before')
  shown('Every command that starts with node, until its run ends.')
})
