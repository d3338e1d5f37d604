import type { AnswerTransport, QuestionView, ToolPart } from '@sandagent/core'
import { createToolParts } from '@sandagent/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, onTestFinished } from 'vitest'
import { AskUserQuestion, ToolApproval } from '../../src/index.ts'
import { keys, press, viewOf } from './form-fixture.tsx'

const LIVE = '[role=status], [role=alert], [aria-live=polite]'

/** Everything that the live regions of the page say, in the order of time. */
function hearPage(): string[] {
  const heard: string[] = []
  const known = new Map<Element, string>()
  const look = (): void => {
    for (const region of document.querySelectorAll(LIVE)) {
      const copy = region.cloneNode(true) as Element
      for (const quiet of copy.querySelectorAll('[aria-hidden], [aria-live=off]')) quiet.remove()
      const text = copy.textContent?.replace(/\s+/g, ' ').trim() ?? ''
      const before = known.get(region)
      known.set(region, text)
      // A region that comes with its text says nothing, unless it is an alert.
      const isNews = before === undefined ? region.getAttribute('role') === 'alert' : text !== before
      if (isNews && text !== '') heard.push(text)
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return heard
}

const options = [
  { value: 'allow-once', label: 'Allow once' },
  { value: 'deny', label: 'Deny' },
]
const PERMISSION = { id: 'permission', question: 'May the agent use Bash?', options }
const COLOUR = { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }

/** A call with the host in the test's hands, which takes every answer. */
function open(
  toolCallId: string,
  Form: typeof ToolApproval | typeof AskUserQuestion,
  view: Partial<QuestionView>,
) {
  const part: ToolPart = { ...createToolParts([], { toolName: 'Bash' }).waiting(), toolCallId }
  const isApproval = view.kind === 'approval'
  const asking = { ...part, input: { questions: [isApproval ? PERMISSION : COLOUR] } }
  let show: (view: QuestionView) => void = () => {}
  const transport: AnswerTransport = {
    send: async () => ({}),
    subscribe(_, onView) {
      show = onView
      onView(viewOf(asking, view))
      return () => {}
    },
  }
  render(<Form part={isApproval ? part : asking} transport={transport} />)
  return { show: (more: Partial<QuestionView>) => act(() => show(viewOf(asking, { ...view, ...more }))) }
}

const enabled = (name: string): Promise<void> =>
  waitFor(() => expect(screen.getByRole('button', { name }).matches(':disabled')).toBe(false))
/** Resolves once this is the last thing that was said. */
const says = (heard: readonly string[], text: string): Promise<void> =>
  waitFor(() => expect(heard.at(-1)).toBe(text))

it.each([
  {
    of: 'an approval',
    Form: ToolApproval,
    view: { kind: 'approval' as const, subject: { toolName: 'Bash', input: { command: 'ls' } } },
    button: 'Ask first',
    asks: 'The agent asks for permission: Run this command?',
  },
  {
    of: 'a question',
    Form: AskUserQuestion,
    view: {},
    button: 'Chat about this',
    asks: 'The agent asks: Which colour?',
  },
])(
  'asking back about $of is told once, and so is the call that follows',
  async ({ Form, view, button, asks }) => {
    const heard = hearPage()
    const reason = 'What is it for?'
    const first = open('a', Form, { ...view, takesQuestions: true })
    await enabled(view.kind ? 'Deny' : 'Decline')
    await userEvent.click(await screen.findByRole('button', { name: button }))
    await keys(reason)
    await press('Ask the agent')
    await says(heard, 'Asked back')
    first.show({ state: 'declined', declined: true, asksBack: true, reason })
    cleanup()
    open('b', Form, {
      ...view,
      takesQuestions: true,
      thread: [{ question: reason, isOwn: true, reply: 'The roof.' }],
    })
    await enabled(view.kind ? 'Deny' : 'Decline')
    await screen.findByText('The roof.')
    await says(heard, asks)
    expect(heard).toEqual([asks, 'Sending…', 'Asked back', asks])
  },
)

it('editing a call is told by what is wrong and what would run, each once', async () => {
  const heard = hearPage()
  const { show } = open('a', ToolApproval, {
    kind: 'approval',
    subject: { toolName: 'Bash', input: { command: 'ls', depth: 3 }, editable: true },
  })
  await enabled('Deny')
  await press('Edit')
  const depth = await screen.findByRole('spinbutton', { name: 'depth' })
  await userEvent.clear(depth)
  await userEvent.click(depth)
  await keys('xy')
  await keys('{Backspace}{Backspace}20')
  await press('Allow the changed call')
  await says(heard, 'Sent. Waiting for the agent to take it…')
  show({
    state: 'answered',
    responses: {
      permission: { selected: ['allow-once'], source: 'human', input: { command: 'ls', depth: 20 } },
    },
  })
  await screen.findByText('Allowed with changes')
  expect(heard).toEqual([
    'The agent asks for permission: Run this command?',
    'Enter a number',
    'Sending…',
    'Sent. Waiting for the agent to take it…',
    'Received by the agent',
  ])
})
