import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { ANSWER_TOKEN_TYPE, type Clock, isObject, SIGNATURE_ALGORITHM } from '@sandagent/core/internal'
import type { JSONWebKeySet, JWK, JWTPayload } from 'jose'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** What a key may have beside its numbers. What else it says may forbid its use. */
const PLAIN: readonly string[] = ['kty', 'crv', 'x', 'kid', 'alg']

/**
 * Verifies tokens as hosts of this package write them, letter by letter, without a thread: Web Crypto hands each signature over
 * to one, which takes longer than the check. It accepts nothing that `jwtVerify` refuses.
 *
 * @returns a function that gives the claims of a token, and `null` for one that only `jwtVerify` can judge
 */
export function createQuickVerifier(
  { keys }: JSONWebKeySet,
  clock: Clock,
): (token: string) => JWTPayload | null {
  const byHeader = new Map<string, { jwk: JWK; key?: KeyObject }>()
  for (const jwk of keys.filter((each) => isPlain(each) && isAlone(each, keys)))
    byHeader.set(headerOf(jwk), { jwk })

  return (token) => {
    const [header = '', payload = '', signature = '', ...others] = token.split('.')
    const signer = byHeader.get(header)
    if (!signer || others.length > 0 || !/^[\w-]+$/.test(payload) || !/^[\w-]{86}$/.test(signature))
      return null
    signer.key ??= createPublicKey({ key: signer.jwk, format: 'jwk' })
    const signed = Buffer.from(`${header}.${payload}`)
    if (!verify(null, signed, signer.key, Buffer.from(signature, 'base64url'))) return null
    const claims = claimsIn(payload)
    return claims && isCurrent(claims, clock.now()) ? claims : null
  }
}

/** The only header with which a host signs an answer by this key. */
const headerOf = ({ kid }: JWK): string =>
  Buffer.from(JSON.stringify({ alg: SIGNATURE_ALGORITHM, kid, typ: ANSWER_TOKEN_TYPE })).toString('base64url')

const isPlain = (jwk: JWK): boolean =>
  jwk.kty === 'OKP' &&
  jwk.crv === SIGNATURE_ALGORITHM &&
  typeof jwk.kid === 'string' &&
  (jwk.alg === undefined || jwk.alg === SIGNATURE_ALGORITHM) &&
  Object.keys(jwk).every((name) => PLAIN.includes(name))

const isAlone = ({ kid }: JWK, keys: readonly JWK[]): boolean =>
  keys.filter((other) => other.kid === kid).length === 1

function claimsIn(payload: string): JWTPayload | null {
  try {
    const claims: unknown = JSON.parse(UTF8.decode(Buffer.from(payload, 'base64url')))
    return isObject(claims) ? claims : null
  } catch {
    return null
  }
}

const isCurrent = ({ iat, nbf, exp }: JWTPayload, now: number): boolean =>
  typeof iat === 'number' && nbf === undefined && typeof exp === 'number' && exp > Math.floor(now / 1000)
