'use client'

import { useChat } from '@ai-sdk/react'
import type { ReactElement } from 'react'
import { MessagePart } from './message-part.tsx'

/** The chat with the agent. */
export default function Page(): ReactElement {
  const { messages, sendMessage, status, error } = useChat({ resume: true })
  const isRunning = status === 'submitted' || status === 'streaming'

  return (
    <main>
      <h1>SandAgent on Next.js</h1>
      {messages.map(({ id, role, parts }) => (
        <article key={id} data-role={role} aria-label={role === 'user' ? 'You' : 'Agent'}>
          {parts.map((part, index) => (
            <MessagePart key={'toolCallId' in part ? part.toolCallId : `${index}`} part={part} />
          ))}
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
