import type { PasskeyProof, PasskeySite } from '../../answer/passkey-proof.ts'
import { AskError } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { platform } from '../../lib/platform.ts'
import { base64urlOf, bytesInBase64url } from '../../lib/text/base64url.ts'
import type { Passkey, PasskeyFacts } from './passkey.ts'

/** The part of `@simplewebauthn/server` that checks what a passkey has signed. Its users load it on demand. */
export interface WebAuthnVerifier {
  verifyAuthenticationResponse(options: {
    response: {
      id: string
      rawId: string
      type: 'public-key'
      response: Omit<PasskeyProof, 'id'>
      clientExtensionResults: Record<never, never>
    }
    expectedChallenge: string
    expectedOrigin: string[]
    expectedRPID: string
    credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }
    requireUserVerification: boolean
  }): Promise<{
    verified: boolean
    authenticationInfo: { newCounter: number; credentialBackedUp: boolean }
  }>
}

/** What the library says, and what a person reads: it speaks to programmers, and quotes what the page sent. */
const WORDS: readonly (readonly [start: RegExp, words: string])[] = [
  [/^Unexpected \w+ response challenge/, 'it signed something else'],
  [/^Unexpected \w+ response origin/, 'it was used on a page of another address'],
  [/^Unexpected RP ID/, 'it belongs to another site'],
  [/^Unexpected \w+ response type/, 'it was used for something else'],
  [/^User not present/, 'nobody was at the device'],
  [/^User verification/, 'the device did not check who used it'],
]

/** A reason of this file, which is in words already. */
class ProofError extends Error {}

/** Why what a passkey signed does not count, in plain words. @param error of this module, or of `@simplewebauthn/server` */
export function proofFault(error: unknown): string {
  const { message } = error as Error
  if (error instanceof ProofError) return message
  return WORDS.find(([start]) => start.test(message))?.[1] ?? 'what it sent cannot be read'
}

/**
 * Checks that a passkey has signed a digest, on a page of the site, after it had verified the person.
 *
 * @param digest in hex, see `signedDigest`
 * @throws AskError `PASSKEY_NEEDED`, which says what is wrong
 */
export async function checkProof(
  { verifyAuthenticationResponse }: WebAuthnVerifier,
  proof: PasskeyProof,
  { digest, passkey, rpId, origins }: PasskeySite & { digest: string; passkey: Passkey },
): Promise<PasskeyFacts> {
  const { id, ...response } = proof
  try {
    if (id !== passkey.id) throw new ProofError('another passkey signed it')
    refuseFrames(proof)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challengeOf(digest),
      expectedOrigin: origins,
      expectedRPID: rpId,
      // Two answers may be on their way at once, and a runner does not know the last count. So the count decides nothing.
      credential: { id, publicKey: bytesInBase64url(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    })
    if (!verified) throw new ProofError('its signature is wrong')
    const { newCounter, credentialBackedUp } = authenticationInfo
    return { counter: newCounter, isBackedUp: credentialBackedUp }
  } catch (cause) {
    throw new AskError('PASSKEY_NEEDED', `The passkey did not sign this answer: ${proofFault(cause)}`, {
      cause,
    })
  }
}

/**
 * The library takes what a page in a frame of another site has signed or registered, if the browser does not name that site.
 *
 * @throws an error for `proofFault`
 */
export function refuseFrames({ clientDataJSON }: Pick<PasskeyProof, 'clientDataJSON'>): void {
  const client: unknown = JSON.parse(textOf(bytesInBase64url(clientDataJSON)))
  if (!isObject(client) || client.crossOrigin === true || client.topOrigin !== undefined)
    throw new ProofError('a page of another site asked for it')
}

const textOf = (bytes: Uint8Array): string => new platform.TextDecoder().decode(bytes, { stream: false })

/** The challenge of a digest, as WebAuthn writes it. */
export const challengeOf = (digest: string): string =>
  base64urlOf(Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
