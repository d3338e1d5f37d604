import type { AnswerTransport, Question, QuestionView, ToolPart } from '@sandagent/core'
import { createToolParts } from '@sandagent/testing'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AskedCall, type ButtonProps, ToolApproval, type ToolApprovalProps } from '../../../src/index.ts'
import {
  completed,
  focused,
  host,
  keys,
  posts,
  serverForEach,
  status,
  stored,
  viewOf,
} from '../form-fixture.tsx'

serverForEach()

const PERMISSION: Question = {
  id: 'permission',
  question: 'May the agent use Bash?',
  allowFreeText: false,
  options: [
    { value: 'allow-once', label: 'Allow once' },
    { value: 'deny', label: 'Deny', description: 'A note tells the agent why.' },
  ],
}

const bash = () =>
  createToolParts([], { toolName: 'Bash', input: { command: 'what the message says' } }).waiting()

/** A call of a tool, and whether the host says that it needs a permission. */
async function openCall(
  kind: 'approval' | 'question',
  props: Partial<Omit<ToolApprovalProps, keyof AskedCall>> = {},
): Promise<{ asking: ToolPart; end: (by: Partial<ToolPart>) => void }> {
  const part = bash()
  const card = (more: Partial<ToolPart>): ReactElement => (
    <ToolApproval part={{ ...part, ...more }} answerEndpoint={host().url} {...props} />
  )
  const { rerender } = render(card({}))
  expect(screen.queryByRole('region')).toBeNull()
  await waitFor(() => expect(host().streams).toBe(1))
  const asking = { ...part, input: { questions: [PERMISSION] } }
  const subject = { toolName: 'Bash', input: { command: 'rm -r build\u202e', force: true } }
  host().show(
    viewOf(asking, { kind, ...(kind === 'approval' && { subject }), asker: { agent: 'code-reviewer' } }),
  )
  return { asking, end: (by) => rerender(card(by)) }
}

const enabled = async (name: string): Promise<HTMLElement> => {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button.matches(':disabled')).toBe(false))
  return button
}

const Broken = (): ReactElement => {
  throw new Error('broken part')
}

it('can be denied where a replaced button fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  await openCall('approval', { components: { Button: Broken } })
  await userEvent.click(await enabled('Deny'))
  expect((await stored(1))[0]?.responses).toMatchObject({ permission: { selected: ['deny'] } })
})

it('shows nothing for a call that needs no permission', async () => {
  await openCall('question')
  await waitFor(() => expect(host().follows).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()
})

it('shows the call as the host knows it, in full, with what is invisible written out', async () => {
  await openCall('approval')
  const region = await screen.findByRole('region', { name: 'The agent asks for permission: Bash' })
  expect([...region.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual([
    'rm -r build<U+202E>',
    'Bash',
    'true',
  ])
  expect(region.textContent).not.toContain('what the message says')
  expect(region.textContent).toContain('Subagent code-reviewer')
})

it('keeps what the agent named apart from its own row', async () => {
  const part = bash()
  const asking = { ...part, input: { questions: [PERMISSION] } }
  const subject = { toolName: 'Bash', input: { Tool: 'Read', command: { run: 'rm' } } }
  const transport: AnswerTransport = {
    send: async () => ({}),
    subscribe(_, onView) {
      onView(viewOf(asking, { kind: 'approval', subject }))
      return () => {}
    },
  }
  render(<ToolApproval part={part} transport={transport} />)
  const given = screen.getByText('Input from the agent').parentElement as HTMLElement
  expect([...given.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual(['Tool', 'command'])
  const outside = [...screen.getByRole('region').querySelectorAll('dt')].filter((row) => !given.contains(row))
  expect(outside.map((row) => row.parentElement?.textContent)).toEqual(['ToolBash'])
})

it('denies first: by its place, with a note, and never by itself', async () => {
  await openCall('approval')
  const deny = await enabled('Deny')
  expect(screen.getAllByRole('button')[0]).toBe(deny)
  expect(focused()).toBe(document.body)
  await userEvent.type(screen.getByRole('textbox'), 'Not today')
  await userEvent.click(deny)
  expect(focused()).toBe(screen.getByRole('status'))
  expect((await completed()).responses).toMatchObject({
    permission: { selected: ['deny'], notes: 'Not today' },
  })
})

it('allows by no key alone: neither by number nor by Enter in the note', async () => {
  await openCall('approval')
  await enabled('Allow once')
  await userEvent.click(screen.getByRole('textbox'))
  await keys('1{Enter}y')
  await userEvent.tab()
  await keys('1y')
  expect(posts().map(({ body }) => body.status)).not.toContain('completed')
})

it('tells what was decided', async () => {
  const { asking } = await openCall('approval')
  await userEvent.click(await enabled('Allow once'))
  expect((await stored(1))[0]).toMatchObject({
    status: 'completed',
    responses: { permission: { selected: ['allow-once'] } },
  })
  await status('Sent')
  host().show(
    viewOf(asking, {
      kind: 'approval',
      subject: { toolName: 'Bash', input: {} },
      state: 'answered',
      revision: 2,
      responses: { permission: { selected: ['allow-once'], source: 'human' } },
    }),
  )
  await status('Received by the agent')
  expect(screen.getByRole('region', { name: 'The agent asked for permission: Bash' }).textContent).toContain(
    'Allowed once',
  )
  expect(screen.queryByRole('button')).toBeNull()
})

it.each([
  ['Deny', 'Denied', 'Bash was not run. The user denied it. Do not …', 'Declined. The agent was told'],
  ['Allow once', 'Allowed once', 'Exit code 1', 'Received by the agent'],
])('that ends the call by %s says so while the page stays', async (decision, decided, errorText, said) => {
  const { end } = await openCall('approval')
  await userEvent.click(await enabled(decision))
  await stored(1)
  await status('Sent')
  end({ state: 'output-error', errorText })
  await status(said)
  expect(screen.getByRole('region').textContent).toContain(decided)
})

it('has the buttons that it is given', async () => {
  const part: ToolPart = { type: 'tool-Bash', toolCallId: 'bash-1', state: 'input-available' }
  const asking = { ...part, input: { questions: [PERMISSION] } }
  const subject = { toolName: 'Bash', input: {} }
  const transport: AnswerTransport = {
    send: async () => ({}),
    subscribe(_, onView) {
      onView(viewOf(asking, { kind: 'approval', subject }))
      return () => {}
    },
  }
  render(<ToolApproval part={part} transport={transport} components={{ Button: TheirButton }} />)
  const deny = await enabled('Deny')
  expect([deny.className, deny.getAttribute('data-look')]).toEqual(['theirs', null])
  await userEvent.click(deny)
  await status('Sent')
})

/** A button that somebody has for all of their page. */
function TheirButton({ look, ...rest }: ButtonProps): ReactElement {
  return <button type="button" {...rest} className="theirs" data-look={look} />
}

describe('once a call is over', () => {
  /** A page that comes, as after a reload, when the call has ended. */
  const openEnded = (end: Partial<ToolPart>): ToolPart => {
    const part: ToolPart = { ...bash(), state: 'output-available', ...end }
    render(<ToolApproval part={part} answerEndpoint={host().url} />)
    return part
  }
  const settled = (part: ToolPart, selected: string): QuestionView =>
    viewOf(
      { ...part, input: { questions: [PERMISSION] } },
      {
        kind: 'approval',
        subject: { toolName: 'Bash', input: { command: 'what the host knows' } },
        state: 'answered',
        revision: 1,
        responses: { permission: { selected: [selected], source: 'human' } },
        answeredBy: 'somebody@example.org',
        answeredAt: '2026-03-01T14:05:00Z',
      },
    )

  it('tells of what the host knows, by whom and when, and follows it no more', async () => {
    const part = openEnded({ output: 'one' })
    expect(screen.queryByRole('region')).toBeNull()
    await waitFor(() => expect(host().streams).toBe(1))
    host().show(settled(part, 'allow-once'))
    await status('Received by the agent')
    const region = screen.getByRole('region', { name: 'The agent asked for permission: Bash' })
    expect(region.textContent).toContain('what the host knows')
    expect(region.querySelector('summary')?.textContent).toMatch(
      /^Allowed once by somebody@example\.org · .*\d.* Run this command\?/,
    )
    expect(region.querySelector('details')?.open).toBe(false)
    expect(region.textContent).not.toContain('what the message says')
    expect(screen.queryByRole('button')).toBeNull()
    await waitFor(() => expect(host().streams).toBe(0))
  })

  it.each<[string, Partial<ToolPart>]>([
    ['a denial', { state: 'output-denied' }],
    [
      'an error that is one',
      { state: 'output-error', errorText: 'Bash was not run. The user denied it, saying "No". Do not …' },
    ],
  ])('tells of %s in the message until the host does', async (_, end) => {
    const part = openEnded(end)
    await status('Declined. The agent was told')
    expect(screen.getByRole('region').textContent).toContain('what the message says')
    await waitFor(() => expect(host().streams).toBe(1))
    host().show(settled(part, 'deny'))
    await status('Received by the agent')
    expect(screen.getByRole('region').textContent).toContain('what the host knows')
    expect(screen.getByRole('region').textContent).toContain('Denied by somebody@example.org')
  })

  it('asks about calls in sight alone, and shows nothing for one that needed no permission', async () => {
    let isSeen = (_: boolean): void => {}
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
          isSeen = (isIntersecting) => seen([{ isIntersecting }])
        }
        observe(): void {}
        disconnect(): void {}
      },
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    openEnded({ output: 'one' })
    isSeen(false)
    expect(host().follows).toHaveLength(0)
    isSeen(true)
    await waitFor(() => expect(host().streams).toBe(1))
    // Nothing is said of a call that the host does not know, and it is not waited for.
    await waitFor(() => expect(host().streams).toBe(0))
    expect(screen.queryByRole('region')).toBeNull()
  })
})
