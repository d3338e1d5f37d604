import { printable } from '@sandagent/core/internal'
import type { PasskeyEntry } from '@sandagent/passkeys'
import { type FormEvent, type ReactElement, useState } from 'react'
import { PASSKEYS_URL } from '../data/api.ts'
import { useFetched } from '../data/use-fetched.ts'
import { agoOf } from '../time.ts'
import { addPasskey, cancelPasskey, removePasskey } from './change-passkeys.ts'

/** The passkeys that allow dangerous calls, and the form that registers another one. */
export function Passkeys(): ReactElement {
  const [version, setVersion] = useState(0)
  const [news, setNews] = useState('')
  const [isBusy, setBusy] = useState(false)
  /** What the browser waits for. */
  const [waitsFor, wait] = useState('')
  const { value, problem } = useFetched<{ passkeys: PasskeyEntry[] }>(PASSKEYS_URL, version)
  const passkeys = value?.passkeys ?? []
  const change = (act: () => Promise<string>): void => {
    setBusy(true)
    setNews('')
    act()
      .then(setNews, (error: Error) => setNews(`This did not work: ${error.message}`))
      .finally(() => {
        setBusy(false)
        wait('')
        setVersion((before) => before + 1)
      })
  }
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const text = (name: string): string => String(new FormData(form).get(name) ?? '').trim()
    change(async () => {
      await addPasskey({ name: text('name'), code: text('code') }, wait)
      form.reset()
      return 'Registered. Runs that start from now on know it.'
    })
  }
  return (
    <section aria-labelledby="passkeys-title">
      <h3 id="passkeys-title">Passkeys</h3>
      <p>A passkey signs what you allow, where the policy of the inbox demands it.</p>
      {value === null && problem !== null && <p role="status">{problem}</p>}
      <ul className="grants">
        {passkeys.map(({ id, name, addedAt, isBackedUp }) => {
          const title = printable(name) || 'Without a name'
          return (
            <li key={id}>
              <p>
                <bdi>{title}</bdi>
              </p>
              <p className="facts">
                registered {agoOf(addedAt, Date.now())}
                {isBackedUp && ' · kept in your account, too'}
              </p>
              <button
                type="button"
                className="plain"
                disabled={isBusy}
                aria-label={`Remove the passkey ${title}`}
                onClick={() =>
                  change(async () => {
                    await removePasskey(id, wait)
                    return 'Removed. Runs that go on know it until they end.'
                  })
                }
              >
                Remove
              </button>
            </li>
          )
        })}
      </ul>
      <form className="passkey" onSubmit={add}>
        <label>
          Name of the new passkey
          <input name="name" autoComplete="off" maxLength={60} placeholder="My laptop" />
        </label>
        <label>
          Code of the terminal
          <input name="code" autoComplete="off" maxLength={40} aria-describedby="passkey-code" />
        </label>
        <p id="passkey-code">
          Run <code>sandagent passkeys add</code> on the machine of the inbox.
          {passkeys.length > 0 && ' Without a code, one of your passkeys vouches for the new one.'}
        </p>
        <button type="submit" className="plain" disabled={isBusy}>
          Register a passkey
        </button>
      </form>
      <p role="status">{waitsFor || news}</p>
      {waitsFor !== '' && (
        <button type="button" className="plain" onClick={cancelPasskey}>
          Cancel
        </button>
      )}
    </section>
  )
}
