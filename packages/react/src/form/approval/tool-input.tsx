import { visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'

/** The input of a tool call, complete, with invisible characters written out. */
export function ToolInput({ input, label }: { input: unknown; label: string }): ReactElement {
  const isNamed = typeof input === 'object' && input !== null && !Array.isArray(input)
  const entries = isNamed ? Object.entries(input) : [[label, input] as const]
  return (
    <>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{visible(name)}</dt>
          <dd>
            <pre dir="ltr">
              {visible(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))}
            </pre>
          </dd>
        </div>
      ))}
    </>
  )
}
