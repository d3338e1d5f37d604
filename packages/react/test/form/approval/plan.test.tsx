import type { AnswerTransport, QuestionView } from '@sandagent/core'
import type { PageAnswer } from '@sandagent/core/internal'
import { createToolParts } from '@sandagent/testing'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ToolApproval, ToolCall } from '../../../src/index.ts'
import { viewOf } from '../form-fixture.tsx'

const PLAN = '# Move house\n\n1. **Pack**\n2. Drive'
const PERMISSION = {
  id: 'permission',
  question: 'May the agent use ExitPlanMode?',
  allowFreeText: false,
  options: [
    { value: 'allow-once', label: 'Deny' },
    { value: 'deny', label: 'Allow once' },
  ],
}
const part = createToolParts([], { toolName: 'ExitPlanMode', input: {} }).waiting()
const asking = { ...part, input: { questions: [PERMISSION] } }
const viewWith = (plan: string, more: Partial<QuestionView> = {}): QuestionView =>
  viewOf(asking, { kind: 'approval', subject: { toolName: 'ExitPlanMode', input: { plan } }, ...more })

/** A plan on a page, with the host in the test's hands. */
async function open(plan = PLAN, more: Partial<QuestionView> = {}) {
  const sent: PageAnswer[] = []
  const transport: AnswerTransport = {
    send: async (answer) => {
      sent.push(answer)
      return {}
    },
    subscribe(_, onView) {
      onView(viewWith(plan, more))
      return () => {}
    },
  }
  const { container } = render(<ToolApproval part={part} transport={transport} />)
  const accept = await screen.findByRole('button', { name: 'Accept the plan' })
  await waitFor(() => expect(accept.matches(':disabled')).toBe(false))
  const openLines = async (): Promise<void> => {
    await userEvent.click(await screen.findByText('Comment on single lines'))
    await screen.findByRole('button', { name: 'Comment on line 1' })
  }
  const decided = async () => {
    await waitFor(() => expect(sent.at(-1)?.status).toBe('completed'))
    return sent.at(-1)?.responses.permission
  }
  return { container, openLines, decided, sent }
}

const comment = async (line: number, words: string): Promise<void> => {
  await userEvent.click(screen.getByRole('button', { name: `Comment on line ${line}` }))
  await userEvent.click(screen.getByRole('textbox', { name: `Comment on line ${line}` }))
  await userEvent.paste(words)
}
const note = (): string =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'A word to the agent, if you want' }).value

describe('a plan', () => {
  it('is read as Markdown, and its decisions have names that no agent chose', async () => {
    const { container } = await open()
    await waitFor(() => expect(container.querySelector('ol strong')?.textContent).toBe('Pack'))
    expect(screen.getByText('Accept this plan?')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Send it back' }).dataset.decision).toBe('deny')
    expect(screen.queryByRole('button', { name: 'Deny' })).toBeNull()
  })

  it('goes back with comments on its lines, which stand in the note', async () => {
    const { openLines, decided } = await open()
    await openLines()
    await comment(4, 'By train')
    await comment(3, 'Why?')
    expect(note()).toBe('3: Why?\n4: By train')
    await userEvent.click(screen.getByRole('button', { name: 'Send it back' }))
    expect(await decided()).toMatchObject({ selected: ['deny'], notes: '3: Why?\n4: By train' })
  })

  it('shows at its line a comment that is typed into the note, and loses none of it', async () => {
    const { openLines, decided } = await open()
    await userEvent.click(screen.getByRole('textbox', { name: 'A word to the agent, if you want' }))
    await userEvent.paste('Nearly.\n4: By train')
    await openLines()
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment on line 4' })
    expect(field.value).toBe('By train')
    await userEvent.clear(field)
    expect(note()).toBe('Nearly.')
    await userEvent.click(screen.getByRole('button', { name: 'Accept the plan' }))
    expect(await decided()).toMatchObject({ selected: ['allow-once'], notes: 'Nearly.' })
  })

  it('has its lines open where Markdown would hide a part of it', async () => {
    await open('Read [this].\n\n[this]: https://example.com "Do the other thing"')
    const lines = await screen.findAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent).join('\n')).toContain('"Do the other thing"')
  })

  it('of very many lines is one text: comments name their lines in the note', async () => {
    const { container } = await open(Array.from({ length: 3000 }, (_, line) => `- ${line}`).join('\n'))
    await userEvent.click(await screen.findByText('Line by line'))
    expect(screen.queryByRole('button', { name: 'Comment on line 1' })).toBeNull()
    await waitFor(() => expect(container.querySelector('details pre')?.textContent).toMatch(/- 2999$/))
  })

  it('that was sent back says so', async () => {
    const responses = {
      permission: { selected: ['deny'], notes: '4: By train', source: 'human' as const },
    }
    const transport: AnswerTransport = {
      send: () => new Promise(() => {}),
      subscribe(_, onView) {
        onView(viewWith(PLAN, { state: 'answered', responses }))
        return () => {}
      },
    }
    render(<ToolApproval part={part} transport={transport} />)
    await screen.findByText('Sent back')
  })

  it('is read without fields where several calls are decided together', async () => {
    const { container } = render(<ToolCall view={viewWith(PLAN)} />)
    await waitFor(() => expect(container.querySelector('ol strong')?.textContent).toBe('Pack'))
    await userEvent.click(screen.getByText('Line by line'))
    const lines = await within(container).findAllByText(/^\d. /, { selector: 'pre' })
    expect(lines.map(({ textContent }) => textContent)).toEqual(['1. **Pack**', '2. Drive'])
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})
