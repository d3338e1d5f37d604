import { printable, visible } from '@sandagent/core/internal'
import type { InboxGrant } from '@sandagent/inbox'
import { withCode } from '@sandagent/react'
import { type ReactElement, useState } from 'react'
import { fetchJson, GRANTS_URL, REVOKE_URL } from '../data/api.ts'
import { useFetched } from '../data/use-fetched.ts'
import { agoOf } from '../time.ts'

/** The permissions for more than one call: what they cover, how often they were used, and a button that takes each back. */
export function Grants(): ReactElement | null {
  const [version, setVersion] = useState(0)
  const [news, setNews] = useState('')
  const { value, problem } = useFetched<{ grants: InboxGrant[] }>(GRANTS_URL, version)
  const grants = value?.grants ?? []
  const revoke = ({ sandboxId, id }: InboxGrant): void => {
    const body = JSON.stringify({ sandbox: sandboxId, id })
    fetchJson(REVOKE_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then(
        () => setNews('Taken back. The next call asks again.'),
        (error: Error) => setNews(`This did not work: ${error.message}`),
      )
      .finally(() => setVersion((before) => before + 1))
  }
  return (
    <section aria-labelledby="grants-title">
      <h3 id="grants-title">Permissions given</h3>
      {value !== null && grants.length === 0 && <p>None. Each call of an agent asks you.</p>}
      {value === null && problem !== null && <p role="status">{problem}</p>}
      <ul className="grants">
        {grants.map((grant) => (
          <li key={grant.id}>
            <p>{withCode(grant.covers)}</p>
            <p className="facts">{factsOf(grant)}</p>
            {!grant.ended && (
              <button
                type="button"
                className="plain"
                aria-label={`Take back: ${visible(grant.covers.replaceAll('`', ''))}`}
                onClick={() => revoke(grant)}
              >
                Take back
              </button>
            )}
          </li>
        ))}
      </ul>
      <p role="status">{news}</p>
    </section>
  )
}

const ENDS = { expired: 'has ended', revoked: 'taken back', 'run-ended': 'ended with its run' }

function factsOf({ sandboxName, givenAt, givenBy, ended, revokedBy, uses }: InboxGrant): string {
  return [
    ...(ended ? [[ENDS[ended], revokedBy && `by ${revokedBy}`].filter(Boolean).join(' ')] : []),
    sandboxName,
    `given ${[givenBy && `by ${givenBy}`, agoOf(givenAt, Date.now())].filter(Boolean).join(', ')}`,
    uses.count === 0 ? 'not used' : uses.count === 1 ? 'used once' : `used ${uses.count} times`,
  ]
    .map(printable)
    .join(' · ')
}
