import { challengeOf, changeDigest, type PasskeyProof } from '@sandagent/core/internal'
import type { PasskeyChange } from '@sandagent/passkeys'
import {
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { fetchJson, passkeysUrl } from '../data/api.ts'

/** Called with what the browser waits for. The person may not see it: a security key shows nothing. */
type OnWait = (waitsFor: string) => void

/** Ends what the browser waits for. Nothing is changed then. */
export const cancelPasskey = (): void => WebAuthnAbortService.cancelCeremony()

/**
 * Registers a passkey. Without a code, the person uses one that is registered, after the new one. A code is looked at first: a
 * device must not make a passkey that is refused.
 */
export async function addPasskey(
  { name, code }: { name: string; code: string },
  onWait: OnWait,
): Promise<void> {
  const change = await post<PasskeyChange>('begin', code === '' ? {} : { code })
  if (code === '' && change.ids.length === 0)
    throw new Error('Enter the code that sandagent passkeys add prints on the machine of the inbox.')
  onWait('Waiting for the device that makes the new passkey.')
  const response = await inWords(startRegistration({ optionsJSON: change.options }))
  const { challenge } = change
  if (code === '') onWait('Now one of your other passkeys vouches for the new one: waiting for its device.')
  const voucher = code === '' ? { proof: await signed(change, 'add', response.id) } : { code }
  await post('register', { challenge, name, response, ...voucher })
}

/** Removes a passkey, once the person has used one of theirs. */
export async function removePasskey(id: string, onWait: OnWait): Promise<void> {
  const change = await post<PasskeyChange>('begin', {})
  const { challenge } = change
  onWait('Confirm with this passkey, or with another one of yours: waiting for its device.')
  await post('remove', { challenge, id, proof: await signed(change, 'remove', id) })
}

async function signed(
  { challenge, ids, options }: PasskeyChange,
  action: 'add' | 'remove',
  id: string,
): Promise<PasskeyProof> {
  const found = await inWords(
    startAuthentication({
      optionsJSON: {
        challenge: challengeOf(changeDigest({ challenge, action, id })),
        ...(options.rp.id !== undefined && { rpId: options.rp.id }),
        allowCredentials: ids.map((each) => ({ id: each, type: 'public-key' })),
        userVerification: 'required',
      },
    }),
  )
  const { clientDataJSON, authenticatorData, signature } = found.response
  return { id: found.id, clientDataJSON, authenticatorData, signature }
}

/** What browsers say is for programmers. */
const inWords = <T>(asking: Promise<T>): Promise<T> =>
  asking.catch((cause: unknown) => {
    const code = cause instanceof WebAuthnError ? cause.code : ''
    const words = /DOMAIN|RP_ID/.test(code)
      ? 'Passkeys need a name in place of an address of digits: start the inbox with --host localhost, or with --url.'
      : /PREVIOUSLY/.test(code)
        ? 'This device has a passkey of yours already.'
        : 'The passkey was not used.'
    throw new Error(words, { cause })
  })

const post = <T>(route: string, body: object): Promise<T> =>
  fetchJson<T>(passkeysUrl(route), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
