import { printable } from '@sandagent/core/internal'
import type { InboxRun } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import { EntryLink, type EntryPlace } from '../list/entry-link.tsx'
import { spanOf } from '../time.ts'

interface RunEntryProps extends EntryPlace {
  entry: InboxRun
  now: number
}

/** A run in a list: where it is, what became of it, and its task. */
export const RunEntry = ({ entry: { sandboxName, run }, now, ...place }: RunEntryProps): ReactElement => (
  <EntryLink
    {...place}
    folder={sandboxName}
    facts={[run.agent, run.state]}
    time={spanOf(Math.max(0, now - Date.parse(run.endedAt ?? run.startedAt)))}
    title={runTitle(run)}
    detail={run.reason ? printable(run.reason) : ''}
  />
)

/** What a run is called: by its task. A run without one has only its id. */
const runTitle = ({ prompt, runId }: InboxRun['run']): string => printable(prompt).trim() || runId
