import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { AskError, type Clock, parseJson, parseWith, SIGNATURE_ALGORITHM } from '@sandagent/core/internal'
import type { JSONWebKeySet, JWTPayload, JWTVerifyOptions } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { createLocalJWKSet } from 'jose/jwks/local'
import { jwtVerify } from 'jose/jwt/verify'
import * as v from 'valibot'

interface TokenFacts {
  /** The `typ` of the header. So a token for one purpose cannot serve another. */
  type: string
  clock: Clock
  lifetimeMs: number
  /** The ids of the keys that the reader of the token knows. Default: all. */
  knownKeys?: readonly string[] | undefined
}

/** The private keys of a host. The first key that the reader knows signs. */
export interface SigningKeys {
  /** The public parts of all keys, for runners. */
  readonly publicKeys: JSONWebKeySet
  /** @throws AskError `NO_SIGNING_KEY` when the reader knows none of the keys. */
  sign(claims: object, facts: TokenFacts): Promise<string>
  /** Checks a token, and gives its claims. @throws what `jwtVerify` of `jose` throws. */
  verify(token: string, facts: { type: string; clock: Clock } & JWTVerifyOptions): Promise<JWTPayload>
}

const keySchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal(SIGNATURE_ALGORITHM),
  x: v.string(),
  d: v.string(),
  kid: v.exactOptional(v.string()),
})

const keysSchema = v.union(
  [
    v.pipe(
      keySchema,
      v.transform((key) => ({ keys: [key] })),
    ),
    v.object({ keys: v.pipe(v.array(keySchema), v.minLength(1)) }),
  ],
  'a private Ed25519 key as a JWK, or a set of them as {"keys": […]}',
)

/**
 * Reads a host's private keys: one JWK, or a set whose first key signs. Missing ids are made from the keys.
 *
 * @throws AskError `INVALID_FILE`, which never shows the text.
 */
export async function parseSigningKeys(text: string): Promise<SigningKeys> {
  const what = 'This is no signing key'
  const { keys } = parseWith(keysSchema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
  const own = await Promise.all(
    keys.map(async (key) => {
      const { kty, crv, x } = key
      const secret = importKey(key)
      const kid = key.kid ?? (await calculateJwkThumbprint({ kty, crv, x }))
      return { kid, secret, shown: { kty, crv, x, kid, alg: SIGNATURE_ALGORITHM } }
    }),
  )
  const publicKeys = { keys: own.map(({ shown }) => shown) }
  return {
    publicKeys,
    async sign(claims, { type, clock, lifetimeMs, knownKeys }) {
      const key = own.find(({ kid }) => knownKeys === undefined || knownKeys.includes(kid))
      if (!key)
        throw new AskError(
          'NO_SIGNING_KEY',
          'This run was started with keys that this host does not have. Give all hosts the same keys',
        )
      const [iat, exp] = [clock.now(), clock.now() + lifetimeMs].map((ms) => Math.floor(ms / 1000))
      const header = { alg: SIGNATURE_ALGORITHM, kid: key.kid, typ: type }
      const signed = `${encoded(header)}.${encoded({ ...claims, iat, exp })}`
      // It takes less time than to hand it over to a thread, as Web Crypto does.
      return `${signed}.${sign(null, Buffer.from(signed), key.secret).toString('base64url')}`
    },
    verify: verifierBy(publicKeys),
  }
}

/** A part of a JSON Web Token. */
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

function verifierBy(publicKeys: JSONWebKeySet): SigningKeys['verify'] {
  const keySet = createLocalJWKSet(publicKeys)
  return async (token, { type, clock, ...options }) => {
    const { payload } = await jwtVerify(token, keySet, {
      ...options,
      typ: type,
      algorithms: [SIGNATURE_ALGORITHM],
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(clock.now()),
    })
    return payload
  }
}

/** The keys of a host somewhere else: they check signatures, and cannot sign. */
export const verifyingKeys = (publicKeys: JSONWebKeySet): SigningKeys => ({
  publicKeys,
  verify: verifierBy(publicKeys),
  async sign() {
    throw new AskError(
      'NO_SIGNING_KEY',
      'The signing keys are with the host, which alone can sign. Answer there',
    )
  },
})

function importKey(key: v.InferOutput<typeof keySchema>): KeyObject {
  try {
    const secret = createPrivateKey({ key, format: 'jwk' })
    // The private number alone makes a key. With a wrong public number, no runner could check a signature.
    if (createPublicKey(secret).export({ format: 'jwk' }).x === key.x) return secret
    throw new Error('The public number belongs to another key')
  } catch (cause) {
    throw new AskError(
      'INVALID_FILE',
      'This is no signing key: its numbers are no Ed25519 key. Make one with createSigningKey',
      { cause },
    )
  }
}

/** Makes a new private key, as the text of a JWK for `SANDAGENT_SIGNING_KEY` or a key file. */
export async function createSigningKey(): Promise<string> {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return JSON.stringify({ ...key, alg: SIGNATURE_ALGORITHM, kid: await calculateJwkThumbprint(key) })
}
