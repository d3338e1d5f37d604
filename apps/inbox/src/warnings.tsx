import type { UnreachableSandbox } from '@sandagent/inbox'
import type { ReactElement } from 'react'
import type { Connection } from './data/inbox-state.ts'

const WORDS: Partial<Record<Connection, string>> = {
  lost: 'The server cannot be reached. This page tries again by itself.',
  'signed out': 'You are signed out. Open a new link of sandagent serve.',
}

interface WarningsProps {
  connection: Connection
  unreachable: readonly UnreachableSandbox[]
}

/** What keeps the inbox from being complete. */
export const Warnings = ({ connection, unreachable }: WarningsProps): ReactElement => (
  <div className="notices" role="status">
    {WORDS[connection] !== undefined && <p>{WORDS[connection]}</p>}
    {unreachable.map(({ sandboxId, sandboxName, message }) => (
      <p key={sandboxId}>
        Questions of {sandboxName} may be missing: {message}.
      </p>
    ))}
  </div>
)
