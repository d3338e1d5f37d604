import type { DynamicToolUIPart } from 'ai'
import type { ReactElement } from 'react'

/** One step of the agent in a line, which opens to its details. */
export function ToolCall({ part }: { part: DynamicToolUIPart }): ReactElement {
  const { title, body } = describe(part)
  return (
    <details className="tool-call" data-state={part.state}>
      <summary>{title}</summary>
      {body && (
        <pre>
          <code>{body}</code>
        </pre>
      )}
    </details>
  )
}

function describe(part: DynamicToolUIPart): { title: ReactElement; body: string } {
  const input = fieldsOf(part.input)
  const output = fieldsOf(part.state === 'output-available' ? part.output : undefined)
  const body =
    part.state === 'output-error' ? part.errorText : [output.stdout, output.stderr].filter(Boolean).join('\n')
  const isDone = part.state === 'output-available'
  if (part.toolName === 'Write')
    return {
      title: titled(isDone ? 'Wrote' : 'Write', input.path ?? input.file_path),
      body: body || String(input.content ?? ''),
    }
  if (part.toolName === 'Bash') return { title: titled(isDone ? 'Ran' : 'Run', input.command), body }
  return { title: titled('Used', part.toolName), body: body || JSON.stringify(part.input, null, 2) }
}

const titled = (verb: string, subject: unknown): ReactElement => (
  <>
    {verb} <code>{String(subject ?? '…')}</code>
  </>
)

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
