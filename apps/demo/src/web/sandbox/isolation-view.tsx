import type { Isolation } from '@sandagent/sdk'
import type { ReactElement } from 'react'
import { readJson, useFetched } from '../use-fetched.ts'

const MEANING: Record<Isolation['level'], string> = {
  strict:
    'The agent writes in this folder alone, cannot touch the answers, sees none of your other files, and reaches no host but that of its model.',
  none: 'The agent may do what you may do on this machine. Only signatures keep it from answering itself.',
}

/** How the agent is isolated. */
export function IsolationView(): ReactElement | null {
  const isolation = useFetched<Isolation>('/api/isolation', readJson, false)
  if (isolation === null) return null
  return (
    <section aria-labelledby="isolation-title">
      <h2 id="isolation-title" className="with-badge">
        Isolation <span className="badge">{isolation.level}</span>
      </h2>
      <p className="quiet">
        {isolation.reason}. {MEANING[isolation.level]}
      </p>
    </section>
  )
}
