import {
  base64url,
  checkProof,
  isSameName,
  type Passkey,
  parseWith,
  passkeyProofSchema,
  signedDigest,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { loggedId, mayCount } from '../http/audit.ts'
import type { PasskeyUse } from '../policy/passkeys.ts'

const useSchema: v.GenericSchema<unknown, PasskeyUse> = v.intersect([
  passkeyProofSchema,
  v.object({
    publicKey: base64url,
    rpId: v.string(),
    origins: v.array(v.string()),
    signed: v.object({ toolCallId: v.string(), questionDigest: v.string(), answer: v.string() }),
    counter: v.number(),
    isBackedUp: v.boolean(),
  }),
])

/**
 * Checks what a passkey has signed of the decision in a line: a hash of its own shows nothing, because whoever writes a log
 * anew makes all hashes anew.
 *
 * @param registered the passkeys that count. Default: each, by the public key in its line
 * @returns what is wrong; `null` for a proof that fits
 */
export async function passkeyLineFault(
  { passkey: given, action, outcome, toolCallId, answeredBy }: Readonly<Record<string, unknown>>,
  registered: readonly Passkey[] | undefined,
): Promise<string | null> {
  try {
    const use = parseWith(useSchema, given, 'INVALID_FILE', 'This is no proof of a passkey')
    const { signed, publicKey, id } = use
    if (toolCallId !== loggedId(signed.toolCallId)) return 'the passkey has signed another call'
    // A denial needs no passkey.
    if ((action !== 'answer' && action !== 'vote') || !mayCount(outcome))
      return 'the passkey has allowed the call'
    const person = String(answeredBy)
    const key = registered
      ? registered.find(
          (each) => each.id === id && each.publicKey === publicKey && isSameName(each.person, person),
        )
      : { id, publicKey, person }
    if (!key) return `${person} has no such passkey`
    const library = await import('@simplewebauthn/server')
    const { counter, isBackedUp } = await checkProof(library, use, {
      ...use,
      digest: signedDigest(signed),
      passkey: key,
    })
    const isSame = counter === use.counter && isBackedUp === use.isBackedUp
    return isSame ? null : 'the passkey has signed other facts of itself'
  } catch (error) {
    return (error as Error).message
  }
}
