import { type ReactElement, useState } from 'react'
import { fetchJson, LINK_URL } from '../data/api.ts'
import { QrCode } from './qr-code.tsx'

/** Makes a link that signs in a phone, and shows it for the phone's camera. */
export function AddPhone(): ReactElement {
  const [offer, setOffer] = useState<{ link: string | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const ask = (): void => {
    fetchJson<{ link: string | null }>(LINK_URL, { method: 'POST' }).then(
      (reply) => {
        setOffer(reply)
        setProblem(null)
      },
      ({ message }: Error) => setProblem(message),
    )
  }
  return (
    <section aria-labelledby="phone-title">
      <h3 id="phone-title">Another device</h3>
      <div role="status">
        {problem !== null && <p className="note">{problem}</p>}
        {offer?.link === null && (
          <p>
            Only this machine reaches the inbox now. Start it with <code>--url</code> behind a tunnel, or with{' '}
            <code>--host</code> and a certificate: <code>sandagent serve --help</code>.
          </p>
        )}
      </div>
      {typeof offer?.link === 'string' && (
        <>
          <QrCode text={offer.link} />
          <p>Scan this, or open the link there. It signs in one browser, within 10 minutes.</p>
          <p>
            <code className="link">{offer.link}</code>
          </p>
        </>
      )}
      <button type="button" className="plain" onClick={ask}>
        {offer?.link ? 'Make another link' : 'Add a phone'}
      </button>
    </section>
  )
}
