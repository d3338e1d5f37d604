import type { AnswerTransport, ToolPart } from '@sandagent/core'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { memo, Profiler, type ReactElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { FEATURES, LANGUAGE, partAsking, QuestionCard } from './question-card.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  sessionStorage.clear()
})

const PARTS = 1000
const WAITING = new Set([200, 700, 999])

const answered = (part: ToolPart): ToolPart => ({
  ...part,
  state: 'output-available',
  output: { questions: [FEATURES], answers: { 'Which features?': 'Tests' } },
})

interface MessageProps {
  part: ToolPart
  transport: AnswerTransport
  onCommit: (toolCallId: string) => void
}

/** Messages as chats make them: each renders again when it gets another part. */
const Message = memo(({ part, transport, onCommit }: MessageProps) => (
  <Profiler id={part.toolCallId} onRender={onCommit}>
    <QuestionCard part={part} transport={transport} />
  </Profiler>
))

/** A chat of 1,000 questions, of which three wait. */
function openChat() {
  const commits: string[] = []
  const onCommit = (toolCallId: string): void => void commits.push(toolCallId)
  const subscribe = vi.fn((_toolCallId: string) => () => {})
  const transport: AnswerTransport = { send: () => new Promise(() => {}), subscribe }
  const parts = Array.from({ length: PARTS }, (_, index) =>
    WAITING.has(index) ? partAsking(FEATURES) : answered(partAsking(FEATURES)),
  )
  const { container, unmount } = render(
    parts.map((part) => <Message key={part.toolCallId} {...{ part, transport, onCommit }} />),
  )
  const idOf = (index: number): string => parts[index]?.toolCallId ?? ''
  const inputs = (index: number): HTMLInputElement[] => [
    ...(container.children[index]?.querySelectorAll('input') ?? []),
  ]
  return { commits, subscribe, idOf, inputs, unmount }
}

it('follows, keeps and listens for the questions that wait, and for none that is over', async () => {
  const listen = vi.spyOn(document, 'addEventListener')
  const read = vi.spyOn(Storage.prototype, 'getItem')
  const { subscribe, idOf, unmount } = openChat()
  const waiting = [...WAITING].map(idOf)
  await waitFor(() => expect(subscribe.mock.calls.map(([toolCallId]) => toolCallId)).toEqual(waiting))
  expect(read).toHaveBeenCalledTimes(waiting.length)
  const listeners = () => listen.mock.calls.filter(([type]) => type === 'visibilitychange')
  expect(listeners()).toHaveLength(waiting.length)
  const removed = vi.spyOn(document, 'removeEventListener')
  unmount()
  expect(removed.mock.calls.filter(([type]) => type === 'visibilitychange')).toHaveLength(waiting.length)
})

it('commits once per keystroke and once per click, and renders no other message', () => {
  const { commits, idOf, inputs } = openChat()
  commits.length = 0
  const [tests, , typed] = inputs(700) as [HTMLInputElement, HTMLInputElement, HTMLInputElement]
  for (const text of ['a', 'a ', 'a l', 'a lo']) fireEvent.change(typed, { target: { value: text } })
  expect(commits).toEqual(Array(4).fill(idOf(700)))
  fireEvent.click(tests)
  expect(commits).toEqual(Array(5).fill(idOf(700)))
  expect(tests.checked).toBe(true)
})

it('wakes up again for a part that a chat shows again', async () => {
  const subscribe = vi.fn((_toolCallId: string) => () => {})
  const transport: AnswerTransport = { send: async () => ({}), subscribe }
  const part = partAsking(LANGUAGE)
  const card = (shown: ToolPart): ReactElement => <QuestionCard part={shown} transport={transport} />
  const { rerender } = render(card(answered(part)))
  expect(screen.getByRole('status').textContent).toBe('received')
  expect(subscribe).not.toHaveBeenCalled()
  act(() => rerender(card(part)))
  expect(screen.getByRole('status').textContent).toBe('waiting')
  await waitFor(() => expect(subscribe).toHaveBeenCalledOnce())
  act(() => rerender(card(answered(part))))
  expect(screen.getByRole('status').textContent).toBe('received')
})
