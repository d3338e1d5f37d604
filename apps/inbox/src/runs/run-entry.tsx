import { printable } from '@sandagent/core/internal'
import type { InboxRun } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import { agoOf } from '../time.ts'

interface RunEntryProps {
  entry: InboxRun
  href: string
  isCurrent: boolean
  now: number
}

/** A run in a list: its task, where it is, and what became of it. */
export function RunEntry({ entry: { sandboxName, run }, href, isCurrent, now }: RunEntryProps): ReactElement {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'true' : undefined} data-entry>
        <span className="entry-title" dir="auto">
          {printable(run.prompt) || run.runId}
        </span>
        <span className="entry-facts">
          <span className="entry-place">{sandboxName}</span>
          <span>{run.agent}</span>
          <span>{run.state}</span>
          <span>{agoOf(run.endedAt ?? run.startedAt, now)}</span>
        </span>
      </a>
    </li>
  )
}
