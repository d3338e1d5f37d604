'use client'

import { useChat } from '@ai-sdk/react'
import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/sdk/react'
import type { UIMessage } from 'ai'
import type { ReactElement, ReactNode } from 'react'

/** The chat with the agent. */
export default function Page(): ReactElement {
  const { messages, sendMessage, status, error } = useChat({ resume: true })
  const isRunning = status === 'submitted' || status === 'streaming'

  return (
    <main>
      <h1>SandAgent on Next.js</h1>
      {messages.map(({ id, role, parts }) => (
        <article key={id} data-role={role} aria-label={role === 'user' ? 'You' : 'Agent'}>
          {parts.map(partOf)}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form className="composer" action={(form) => void sendMessage({ text: String(form.get('task')) })}>
        <input name="task" aria-label="Task for the agent" defaultValue="Write an invitation" required />
        <button type="submit" disabled={isRunning}>
          Send
        </button>
      </form>
    </main>
  )
}

/** A question is asked, text is shown, and so is the name of every other tool with what it was given. */
function partOf(part: UIMessage['parts'][number], index: number): ReactNode {
  if (isAskUserQuestionPart(part))
    return <AskUserQuestion key={part.toolCallId} part={part} answerEndpoint="/api/answer" layout="all" />
  if (part.type === 'text') return <p key={`${index}`}>{part.text}</p>
  if (part.type !== 'dynamic-tool') return null
  return (
    <details key={part.toolCallId}>
      <summary>{part.toolName}</summary>
      <pre>{JSON.stringify(part.input, null, 2)}</pre>
    </details>
  )
}
