import { printable } from '@sandagent/core/internal'
import type { QuestionInContext } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import { Edits } from './edits.tsx'
import { Messages } from './messages.tsx'

/** How many messages are in sight at first. */
const FEW = 4

/** More of a task is shown on demand, so that the question is in sight on a phone. In characters. */
const MOST_OF_TASK = 300

function Task({ text }: { text: string }): ReactElement | string {
  const end = text.length > MOST_OF_TASK ? text.lastIndexOf(' ', MOST_OF_TASK) : -1
  if (end < 1) return text
  return (
    <details>
      <summary>{text.slice(0, end)} …</summary>
      {text.slice(end)}
    </details>
  )
}

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
          <Task text={printable(run.prompt)} />
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
