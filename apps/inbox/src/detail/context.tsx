import { printable, visible } from '@sandagent/core/internal'
import type { QuestionInContext, RunMessage } from '@sandagent/sdk/inbox'
import type { ReactElement } from 'react'
import { Edits } from './edits.tsx'

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

const Messages = ({ messages }: { messages: readonly RunMessage[] }): ReactElement => (
  <ol className="messages">
    {messages.map((message, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
      <li key={index}>
        {message.kind === 'text' ? <p dir="auto">{printable(message.text)}</p> : <ToolCall {...message} />}
      </li>
    ))}
  </ol>
)

const MARKS = { called: '…', done: '✓', failed: '✗' } as const

function ToolCall({ toolName, state, input, output }: Extract<RunMessage, { kind: 'tool' }>): ReactElement {
  const line = lineOf(input)
  return (
    <details className="tool" data-state={state}>
      <summary>
        <span aria-hidden="true">{MARKS[state]}</span> {visible(toolName)}{' '}
        {line !== '' && <code>{visible(line)}</code>}
        {state === 'failed' && <span className="label"> failed</span>}
      </summary>
      <pre>{visible(typeof input === 'string' ? input : JSON.stringify(input, null, 2))}</pre>
      {output !== undefined && output !== '' && <pre>{printable(output)}</pre>}
    </details>
  )
}

function lineOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const { command, path, file_path } = input as Record<string, unknown>
  const subject = command ?? path ?? file_path
  return typeof subject === 'string' ? (subject.split('\n')[0] ?? '') : ''
}
