import { PUBLIC_KEYS_VARIABLE, parseJson, parseWith, SIGNATURE_ALGORITHM } from '@sandagent/core/internal'
import type { JSONWebKeySet } from 'jose'
import * as v from 'valibot'

const keysSchema = v.object({
  keys: v.pipe(
    v.array(
      v.object({
        kty: v.literal('OKP'),
        crv: v.literal(SIGNATURE_ALGORITHM),
        kid: v.string(),
        x: v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'a public Ed25519 key: 32 bytes as base64url')),
        d: v.exactOptional(v.never('no private part')),
      }),
    ),
    v.minLength(1, 'at least one key'),
  ),
})

/**
 * Reads the host's public keys from the text of `SANDAGENT_PUBLIC_KEYS`.
 *
 * @throws AskError `INVALID_REQUEST` with every fault. A private key is a fault: the sandbox must not know it.
 */
export function parsePublicKeys(text: string): JSONWebKeySet {
  const what = `${PUBLIC_KEYS_VARIABLE} holds no public keys, such as the publicKeys that loadSigningKeys returns on the host`
  return parseWith(keysSchema, parseJson(text, 'INVALID_REQUEST', what), 'INVALID_REQUEST', what)
}
