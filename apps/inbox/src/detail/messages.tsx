import { jsonForPeople, printable, visible } from '@sandagent/core/internal'
import type { RunMessage } from '@sandagent/inbox'
import type { ReactElement } from 'react'

/** What an agent said, and the tools that it called. */
export const Messages = ({ messages }: { messages: readonly RunMessage[] }): ReactElement => (
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
      <pre>{visible(typeof input === 'string' ? input : jsonForPeople(input))}</pre>
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
