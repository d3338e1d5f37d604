import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { ANSWER_TOKEN_TYPE, SIGNATURE_ALGORITHM } from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/testing'
import { createLocalJWKSet, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { createQuickVerifier } from '../../../src/ask/verify/verify-at-once.ts'

const clock = createFakeClock()
const now = Math.floor(clock.now() / 1000)
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const { privateKey: foreignKey } = generateKeyPairSync('ed25519')
const jwk: JWK = { ...(publicKey.export({ format: 'jwk' }) as JWK), kid: 'key-1' }
const header = { alg: SIGNATURE_ALGORITHM, kid: 'key-1', typ: ANSWER_TOKEN_TYPE }
const claims = { toolCallId: 'c', text: 'é ✓', iat: now, exp: now + 60 }

const encoded = (part: string | Uint8Array): string => Buffer.from(part).toString('base64url')

function token(
  parts: { header?: object | string; payload?: object | string | Uint8Array; key?: KeyObject } = {},
): string {
  const written = (part: object | string): string => (typeof part === 'string' ? part : JSON.stringify(part))
  const { header: head = header, payload = claims, key = privateKey } = parts
  const body = payload instanceof Uint8Array ? payload : written(payload)
  const signed = `${encoded(written(head))}.${encoded(body)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

const atOnce = (text: string, keys: JWK[] = [jwk]): unknown =>
  createQuickVerifier({ keys } as JSONWebKeySet, clock)(text)

/** What `jwtVerify` makes of it; `null` if it refuses. */
const byJose = (text: string, keys: JWK[] = [jwk]): Promise<unknown> =>
  jwtVerify(text, createLocalJWKSet({ keys } as JSONWebKeySet), {
    algorithms: [SIGNATURE_ALGORITHM],
    typ: ANSWER_TOKEN_TYPE,
    requiredClaims: ['iat', 'exp'],
    currentDate: new Date(clock.now()),
  }).then(
    ({ payload }) => payload,
    () => null,
  )

it('a token as hosts write it is verified at once, with the claims that jose reads', async () => {
  expect(atOnce(token())).toEqual(claims)
  expect(await byJose(token())).toEqual(claims)
})

const good = token()
const [head = '', body = '', signature = ''] = good.split('.')
const refused: Record<string, string> = {
  'another key': token({ key: foreignKey }),
  'another algorithm': token({ header: { ...header, alg: 'EdDSA' } }),
  'no algorithm': token({ header: { ...header, alg: 'none' } }),
  'another type': token({ header: { ...header, typ: 'JWT' } }),
  'another key id': token({ header: { ...header, kid: 'key-2' } }),
  'a critical extension': token({ header: { ...header, crit: ['b64'], b64: false } }),
  'an expired one': token({ payload: { ...claims, exp: now } }),
  'one without an end': token({ payload: { iat: now } }),
  'one without a beginning': token({ payload: { exp: now + 60 } }),
  'an end that is no number': token({ payload: { ...claims, exp: `${now + 60}` } }),
  'one for later': token({ payload: { ...claims, nbf: now + 30 } }),
  'a list': token({ payload: '[1]' }),
  'no JSON': token({ payload: 'hello' }),
  'no UTF-8': token({ payload: Buffer.from([0x22, 0xff, 0x22]) }),
  'another payload': `${head}.${encoded(JSON.stringify({ ...claims, toolCallId: 'd' }))}.${signature}`,
  'a changed signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
  'half a signature': `${head}.${body}.${signature.slice(0, 43)}`,
  'no signature': `${head}.${body}.`,
  'two parts': `${head}.${body}`,
  'four parts': `${good}.${body}`,
  'line breaks': `${head}.${body}\n.${signature}`,
  nothing: '',
}
for (const [what, text] of Object.entries(refused))
  it(`what jose refuses is not accepted at once: ${what}`, async () => {
    expect(await byJose(text)).toBeNull()
    expect(atOnce(text)).toBeNull()
  })

it('what hosts never write is left to jose', async () => {
  const other = token({ header: { ...header, more: 1 } })
  expect(await byJose(other)).toEqual(claims)
  expect(atOnce(other)).toBeNull()
})

for (const [what, keys] of Object.entries({
  'a key for another use': [{ ...jwk, use: 'enc' }],
  'a key for other operations': [{ ...jwk, key_ops: ['sign'] }],
  'a key of another algorithm': [{ ...jwk, alg: 'EdDSA' }],
  'two keys of one id': [jwk, jwk],
  'no key': [],
}))
  it(`what jose refuses is not accepted at once: ${what}`, async () => {
    expect(await byJose(good, keys)).toBeNull()
    expect(atOnce(good, keys)).toBeNull()
  })

it('no change of a letter is accepted that jose refuses', async () => {
  for (let at = 0; at < good.length; at += 3) {
    const letter = good[at] === 'x' ? 'y' : 'x'
    const changed = good.slice(0, at) + letter + good.slice(at + 1)
    if (atOnce(changed)) expect(await byJose(changed)).not.toBeNull()
  }
})
