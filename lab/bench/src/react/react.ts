import type { AnswerTransport, ToolPart } from '@sandagent/core'
import { useAskUserQuestion } from '@sandagent/sdk/react'
import { createElement, memo, Profiler, type ReactNode } from 'react'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { withPage } from './page.ts'

export const react: Scenario = defineScenario({
  title: 'a chat of 1,000 questions on a page, three of which wait, by React’s profiler',
  keys: {
    commitsPerKeystroke: 'commits of the question that is typed into, for each keystroke',
    commitsElsewhere: 'commits of all other questions, for all keystrokes',
    sessions: 'questions that have a session; three wait',
    mount1000Ms: 'the first render of 1,000 questions',
    mount500Ms: 'the first render of 500 questions',
    renderMsPerKeystroke: 'the render of a keystroke',
  },
  async measure() {
    await mountChat(100) // compiles the code
    const mount500Ms = Math.min((await mountChat(500)).mountMs, (await mountChat(500)).mountMs)
    const { mountMs, ...chat } = await mountChat(1000)
    const mount1000Ms = Math.min(mountMs, (await mountChat(1000)).mountMs)
    return { ...chat, mount1000Ms, mount500Ms }
  },
  goals: ({ commitsPerKeystroke, commitsElsewhere, sessions, mount1000Ms, mount500Ms }) => [
    { text: 'one commit for each keystroke', figure: commitsPerKeystroke, most: 1 },
    { text: 'no commit elsewhere', figure: commitsElsewhere, most: 0 },
    { text: 'a session for each question that waits, and no other', figure: sessions, most: WAITING },
    {
      text: '1,000 questions take at most 2.4 × the time of 500',
      figure: mount1000Ms,
      most: 2.4 * mount500Ms,
    },
  ],
})

const WAITING = 3
const KEYSTROKES = 50
const LOADED_MS = 10_000

const partOf = (index: number, isWaiting: boolean): ToolPart => ({
  type: 'dynamic-tool',
  toolName: 'AskUserQuestion',
  toolCallId: `call-${index}`,
  input: {
    questions: [
      { question: 'Which features?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Docs' }] },
    ],
  },
  ...(isWaiting
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

/** Mounts a chat of questions, of which three wait, and types into one of them. */
const mountChat = (count: number) =>
  withPage(async (page) => {
    const waiting = [0.2 * count, 0.7 * count, count - 1]
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
    const parts = Array.from({ length: count }, (_, index) => partOf(index, waiting.includes(index)))
    const root = createRoot(page.querySelector('main') as HTMLElement)
    const startedAt = performance.now()
    flushSync(() =>
      root.render(parts.map((part) => createElement(Message, { key: part.toolCallId, part, ...shared }))),
    )
    const mountMs = performance.now() - startedAt
    // What follows questions is loaded with the first that waits.
    while (subscribed.size < WAITING && performance.now() - startedAt < LOADED_MS) await turn()
    await turn()
    const sessions = subscribed.size

    commits.length = 0
    const typedInto = `call-${waiting[1]}`
    for (let count = 1; count <= KEYSTROKES; count++)
      flushSync(() => typists.get(typedInto)?.('x'.repeat(count)))
    const own = commits.filter(({ id }) => id === typedInto)
    flushSync(() => root.unmount())
    await turn()
    return {
      sessions,
      mountMs,
      commitsPerKeystroke: own.length / KEYSTROKES,
      commitsElsewhere: commits.length - own.length,
      renderMsPerKeystroke: own.reduce((sum, { ms }) => sum + ms, 0) / KEYSTROKES,
    }
  })

/** Lets React do what it has put off. */
const turn = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
}
