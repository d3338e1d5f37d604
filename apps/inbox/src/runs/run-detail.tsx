import { printable } from '@sandagent/core/internal'
import type { RunInContext } from '@sandagent/inbox'
import type { ReactElement, ReactNode } from 'react'
import { parseKey, runUrl } from '../data/api.ts'
import { useFetched } from '../data/use-fetched.ts'
import { Edits } from '../detail/edits.tsx'
import { Facts } from '../detail/facts.tsx'
import { Messages } from '../detail/messages.tsx'
import { agoOf } from '../time.ts'

interface RunDetailProps {
  entryKey: string
  /** Moves on by itself. The run is read again then. */
  now: number
  children: ReactNode
}

/** What a run was told to do, what became of it, and what it did last. */
export function RunDetail({ entryKey, now, children }: RunDetailProps): ReactElement {
  const name = parseKey(entryKey)
  const { value, problem } = useFetched<RunInContext>(name && runUrl(name), now)
  const { run, sandboxName, messages, edits } = value ?? {}
  return (
    <article className="detail" aria-label="Run" aria-busy={!value && problem === null}>
      <div className="bar">{children}</div>
      {!value && problem !== null && <p role="status">{problem}</p>}
      {run && (
        <>
          <Facts
            facts={[
              ['Folder', sandboxName],
              ['Agent', run.agent],
              ['State', run.state],
              ['Started', agoOf(run.startedAt, now)],
              ['Ended', run.endedAt && agoOf(run.endedAt, now)],
              ['Id', run.runId],
            ]}
          />
          {run.reason && <p className="note">{printable(run.reason)}</p>}
          <section className="context" aria-label="What it did">
            {run.prompt !== '' && (
              <blockquote dir="auto">
                <p className="label">Task</p>
                {printable(run.prompt)}
              </blockquote>
            )}
            <Messages messages={messages ?? []} />
            <Edits title="Files it has written" edits={edits ?? []} />
          </section>
        </>
      )}
    </article>
  )
}
