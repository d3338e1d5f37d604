import type { AnswerTransport, ToolPart } from '@sandagent/core'
import { useAskUserQuestion } from '@sandagent/sdk/react'
import { createElement, memo, Profiler, type ReactNode } from 'react'
import { withPage } from './page.ts'

/** What a long chat costs a page, by React's own profiler in its development build. */
export interface LongChat {
  parts: number
  waiting: number
  /** Questions that are subscribed: those of the sessions that were made. */
  sessions: number
  mountMs: number
  keystrokes: number
  /** Of the message that is typed into, and of all others. */
  commitsPerKeystroke: number
  commitsElsewhere: number
  renderMsPerKeystroke: number
}

const PARTS = 1000
const WAITING = [200, 700, 999]
const KEYSTROKES = 50
const LOADED_MS = 10_000

const partOf = (index: number): ToolPart => ({
  type: 'dynamic-tool',
  toolName: 'AskUserQuestion',
  toolCallId: `call-${index}`,
  input: {
    questions: [
      { question: 'Which features?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Docs' }] },
    ],
  },
  ...(WAITING.includes(index)
    ? { state: 'input-available' }
    : { state: 'output-available', output: { answers: { 'Which features?': 'Tests' } } }),
})

interface MessageProps {
  part: ToolPart
  transport: AnswerTransport
  /** Told how to type into the question. */
  onTypist: (toolCallId: string, type: (text: string) => void) => void
  onCommit: (toolCallId: string, ms: number) => void
}

function Question({ part: shown, transport, onTypist }: MessageProps): ReactNode {
  const { responses, setFreeText } = useAskUserQuestion({ part: shown, transport })
  onTypist(shown.toolCallId, (text) => setFreeText('q1', text))
  return createElement('p', null, JSON.stringify(responses))
}

/** As chats make it: it renders anew when its part is another. */
const Message = memo((props: MessageProps) =>
  createElement(
    Profiler,
    { id: props.part.toolCallId, onRender: (id, _phase, ms) => props.onCommit(id, ms) },
    createElement(Question, props),
  ),
)

/** Mounts a chat of 1,000 questions, of which three wait, and types into one of them. */
export const measureLongChat = (): Promise<LongChat> =>
  withPage(async (page) => {
    const { createRoot } = await import('react-dom/client')
    const { flushSync } = await import('react-dom')
    const commits: { id: string; ms: number }[] = []
    const typists = new Map<string, (text: string) => void>()
    const subscribed = new Set<string>()
    const shared = {
      transport: {
        send: () => new Promise<never>(() => {}),
        subscribe(toolCallId: string) {
          subscribed.add(toolCallId)
          return () => void subscribed.delete(toolCallId)
        },
      },
      onTypist: (id: string, type: (text: string) => void) => void typists.set(id, type),
      onCommit: (id: string, ms: number) => void commits.push({ id, ms }),
    }
    const parts = Array.from({ length: PARTS }, (_, index) => partOf(index))
    const root = createRoot(page.querySelector('main') as HTMLElement)
    const startedAt = performance.now()
    flushSync(() =>
      root.render(parts.map((part) => createElement(Message, { key: part.toolCallId, part, ...shared }))),
    )
    const mountMs = performance.now() - startedAt
    // What follows questions is loaded with the first that waits.
    while (subscribed.size < WAITING.length && performance.now() - startedAt < LOADED_MS) await turn()
    await turn()
    const sessions = subscribed.size

    commits.length = 0
    const typedInto = `call-${WAITING[1]}`
    for (let count = 1; count <= KEYSTROKES; count++)
      flushSync(() => typists.get(typedInto)?.('x'.repeat(count)))
    const own = commits.filter(({ id }) => id === typedInto)
    flushSync(() => root.unmount())
    await turn()
    return {
      parts: PARTS,
      waiting: WAITING.length,
      sessions,
      mountMs,
      keystrokes: KEYSTROKES,
      commitsPerKeystroke: own.length / KEYSTROKES,
      commitsElsewhere: commits.length - own.length,
      renderMsPerKeystroke: own.reduce((sum, { ms }) => sum + ms, 0) / KEYSTROKES,
    }
  })

/** Lets React do what it has put off. */
const turn = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
}
