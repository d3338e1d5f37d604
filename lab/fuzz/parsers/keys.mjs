// A signing key that is the same in each run, and tokens that it signed.

import { createPrivateKey, sign } from 'node:crypto'
import { parseSigningKeys } from '../../../packages/sdk/dist/index.js'

/** What comes before the 32 bytes of a private Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const key = createPrivateKey({
  key: Buffer.concat([PKCS8, Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})

export const JWK = { ...key.export({ format: 'jwk' }), kid: 'fuzz', alg: 'Ed25519' }

export const KEYS = await parseSigningKeys(JSON.stringify(JWK))

/** A clock that stands. */
export const CLOCK = /** @type {any} */ ({
  now: () => Date.parse('2025-01-30T12:00:00.000Z'),
  after: () => () => {},
})

/** Claims that hold now. */
export const TIMES = { iat: CLOCK.now() / 1000, exp: CLOCK.now() / 1000 + 60 }

/** A token, whatever its claims are. @param {string} claims JSON, or another text @param {string} type */
export function signed(claims, type) {
  const header = JSON.stringify({ alg: 'Ed25519', kid: JWK.kid, typ: type })
  const text = [header, claims].map((part) => Buffer.from(part).toString('base64url')).join('.')
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}
