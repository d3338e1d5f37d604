import { expect, it } from 'vitest'
import { parsePublicKeys } from '../../../src/ask/verify/public-keys.ts'

const key = { kty: 'OKP', crv: 'Ed25519', kid: 'k', x: 'A-_'.padEnd(43, 'a') }
const faultsOf = (text: string): unknown => {
  try {
    parsePublicKeys(text)
  } catch (error) {
    return error
  }
  return null
}

it('public keys are read, each with what is needed of it', () => {
  const text = JSON.stringify({
    keys: [
      { ...key, use: 'sig' },
      { ...key, kid: 'l' },
    ],
  })
  expect(parsePublicKeys(text)).toMatchObject({ keys: [key, { ...key, kid: 'l' }] })
})

it.each([
  ['no keys', { keys: [] }, 'keys'],
  ['no list', {}, 'keys'],
  ['another kind', { keys: [{ ...key, kty: 'EC' }] }, 'keys.0.kty'],
  ['another curve', { keys: [{ ...key, crv: 'X25519' }] }, 'keys.0.crv'],
  ['no name', { keys: [{ ...key, kid: undefined }] }, 'keys.0.kid'],
  ['a short key', { keys: [{ ...key, x: 'a'.repeat(42) }] }, 'keys.0.x'],
  ['a long key', { keys: [{ ...key, x: 'a'.repeat(44) }] }, 'keys.0.x'],
  ['a key in base64', { keys: [{ ...key, x: 'a+/'.padEnd(43, 'a') }] }, 'keys.0.x'],
  ['a private part', { keys: [key, { ...key, d: 'secret' }] }, 'keys.1.d'],
])('keys with %s are refused, and the fault has its place', (_, keys, path) => {
  const error = faultsOf(JSON.stringify(keys))
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('SANDAGENT_PUBLIC_KEYS holds no public keys'),
    faults: [{ path, expected: expect.stringMatching(/\w/) }],
  })
  expect(String(error)).not.toContain('secret')
})

it('the faults of keys say what would be right', () => {
  const faults = faultsOf(JSON.stringify({ keys: [{ ...key, x: 'a', d: 'secret' }] }))
  expect(faults).toMatchObject({
    faults: [
      { expected: expect.stringContaining('a public Ed25519 key: 32 bytes as base64url') },
      { expected: expect.stringContaining('no private part') },
    ],
  })
  expect(faultsOf('{"keys":[]}')).toMatchObject({
    faults: [{ expected: expect.stringContaining('at least one key') }],
  })
})

it('a text that is no JSON is refused', () => {
  expect(faultsOf('{')).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('SANDAGENT_PUBLIC_KEYS holds no public keys'),
  })
})
