import { printable } from '@sandagent/core/internal'
import type { QuestionInContext } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import { Edits } from './edits.tsx'
import { Messages } from './messages.tsx'

/** How many messages are in sight at first. */
const FEW = 4

/** What the agent was told to do, and what it did last. */
export function Context({ run, messages, edits, question }: QuestionInContext): ReactElement | null {
  // The form below shows this call.
  const before = messages.filter(
    (message) => message.kind !== 'tool' || message.toolCallId !== question.toolCallId,
  )
  if (!run?.prompt && before.length === 0) return null
  const earlier = before.slice(0, -FEW)
  return (
    <section className="context" aria-label="Before the question">
      {run && run.prompt !== '' && (
        <blockquote dir="auto">
          <p className="label">Task</p>
          {printable(run.prompt)}
        </blockquote>
      )}
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier messages</summary>
          <Messages messages={earlier} />
        </details>
      )}
      <Messages messages={before.slice(-FEW)} />
      <Edits title="Files it has written" edits={edits} />
    </section>
  )
}
