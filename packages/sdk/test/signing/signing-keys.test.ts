import { createPrivateKey } from 'node:crypto'
import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { calculateJwkThumbprint, decodeProtectedHeader, errors, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSigningKey, parseSigningKeys, verifyingKeys } from '../../src/signing/signing-keys.ts'

const clock = createFakeClock('2026-01-01T00:00:00.900Z')
const FACTS = { type: 'test+jwt', clock, lifetimeMs: 60_000 }
const [oneKey, otherKey] = [JSON.parse(await createSigningKey()), JSON.parse(await createSigningKey())]
const keys = await parseSigningKeys(JSON.stringify({ keys: [oneKey, otherKey] }))

const payloadOf = (token: string) => JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString())

/** The error of a check; `null` for a token that is good. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

it('a new key has its algorithm, and its thumbprint as its id', async () => {
  const { kty, crv, x, d, ...rest } = oneKey
  expect([kty, crv, x.length, d.length]).toEqual(['OKP', 'Ed25519', 43, 43])
  expect(rest).toEqual({ alg: 'Ed25519', kid: await calculateJwkThumbprint({ kty, crv, x }) })
})

it('a key without an id gets its thumbprint, and one with an id keeps it', async () => {
  const { kid, ...key } = oneKey
  const parsed = await parseSigningKeys(JSON.stringify({ keys: [key, { ...otherKey, kid: 'mine' }] }))
  expect(parsed.publicKeys.keys.map((shown) => shown.kid)).toEqual([kid, 'mine'])
})

describe('a token', () => {
  it('has its type, its key and its times in whole seconds', async () => {
    const token = await keys.sign({ a: 1 }, { ...FACTS, lifetimeMs: 60_200 })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'Ed25519', kid: oneKey.kid, typ: 'test+jwt' })
    const iat = Date.parse('2026-01-01') / 1000
    expect(payloadOf(token)).toEqual({ a: 1, iat, exp: iat + 61 })
    expect(await keys.verify(token, { type: 'test+jwt', clock })).toEqual({ a: 1, iat, exp: iat + 61 })
  })

  it.each([
    ['the first key', undefined, oneKey],
    ['the first one of those that its reader knows', [otherKey.kid, oneKey.kid], oneKey],
    ['a later one if its reader knows that alone', ['x', otherKey.kid], otherKey],
  ])('is signed by %s', async (_, knownKeys, { kid }) => {
    const token = await keys.sign({}, { ...FACTS, knownKeys })
    expect(decodeProtectedHeader(token).kid).toBe(kid)
    expect(await keys.verify(token, FACTS)).toMatchObject({})
  })

  it.each([[[]], [['x']]])('cannot be signed for a reader who knows %j', async (knownKeys) => {
    expect(await errorOf(keys.sign({}, { ...FACTS, knownKeys }))).toMatchObject({
      code: 'NO_SIGNING_KEY',
      message: expect.stringContaining('same keys'),
    })
  })

  it('does not serve another purpose, another reader or another text', async () => {
    const token = await keys.sign({ aud: 'page' }, FACTS)
    const [header, , signature] = token.split('.')
    const forged = [header, Buffer.from('{"aud":"other"}').toString('base64url'), signature].join('.')
    const stranger = await parseSigningKeys(await createSigningKey())
    expect(await errorOf(keys.verify(token, { ...FACTS, audience: 'page' }))).toBeNull()
    expect(await errorOf(keys.verify(token, { ...FACTS, audience: 'x' }))).toBeInstanceOf(
      errors.JWTClaimValidationFailed,
    )
    expect(await errorOf(keys.verify(token, { ...FACTS, type: 'x' }))).toMatchObject({ claim: 'typ' })
    expect(await errorOf(stranger.verify(token, FACTS))).toBeInstanceOf(errors.JWKSNoMatchingKey)
    expect(await errorOf(keys.verify(forged, FACTS))).toBeInstanceOf(errors.JWSSignatureVerificationFailed)
  })

  it('expires by the given clock', async () => {
    const at = createFakeClock('2026-01-01T00:00:00Z')
    const token = await keys.sign({}, { ...FACTS, clock: at })
    at.advance(59_999)
    expect(await errorOf(keys.verify(token, { ...FACTS, clock: at }))).toBeNull()
    at.advance(1)
    expect(await errorOf(keys.verify(token, { ...FACTS, clock: at }))).toBeInstanceOf(errors.JWTExpired)
  })

  it.each(['iat', 'exp'])('without %s is refused', async (claim) => {
    const secret = createPrivateKey({ key: oneKey, format: 'jwk' })
    const header = { alg: 'Ed25519', kid: oneKey.kid, typ: FACTS.type }
    const signed = (claims: object): Promise<string> =>
      new SignJWT({ ...claims }).setProtectedHeader(header).sign(secret)
    const [token, some] = [await signed({}), await signed({ [claim === 'iat' ? 'exp' : 'iat']: 2e9 })]
    expect(await errorOf(keys.verify(token, FACTS))).toMatchObject({ reason: 'missing' })
    expect(await errorOf(keys.verify(some, FACTS))).toMatchObject({ claim, reason: 'missing' })
  })
})

it('the public keys of a host check its tokens, and cannot sign', async () => {
  const public_ = verifyingKeys(keys.publicKeys)
  expect(public_.publicKeys).toBe(keys.publicKeys)
  const token = await keys.sign({ a: 1 }, FACTS)
  expect(await public_.verify(token, FACTS)).toMatchObject({ a: 1 })
  expect(await errorOf(public_.sign({}, FACTS))).toMatchObject({
    code: 'NO_SIGNING_KEY',
    message: expect.stringContaining('Answer there'),
  })
})

it.each([
  ['another kind', { kty: 'EC' }],
  ['another curve', { crv: 'X25519' }],
  ['no public number', { x: undefined }],
  ['no private number', { d: undefined }],
  ['an id that is no text', { kid: 1 }],
])('a key with %s is refused, alone and in a set', async (_, wrong) => {
  const key = { ...oneKey, ...wrong }
  for (const given of [key, { keys: [key] }, { keys: [oneKey, key] }]) {
    const error = await errorOf(parseSigningKeys(JSON.stringify(given)))
    expect(error).toBeInstanceOf(AskError)
    expect(error).toMatchObject({ code: 'INVALID_FILE' })
    expect(`${error}`).toContain('This is no signing key')
    expect(`${error}`).toContain('a private Ed25519 key as a JWK, or a set of them')
  }
})

it('a key with the public number of another one has its cause', async () => {
  const error = await errorOf(parseSigningKeys(JSON.stringify({ ...oneKey, x: otherKey.x })))
  expect(error).toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining('no Ed25519 key'),
    cause: { message: expect.stringContaining('another key') },
  })
})
