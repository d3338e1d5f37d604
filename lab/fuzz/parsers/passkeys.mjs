// Parsers of passkeys: what a run is started with, what a page sends, and what a passkey has signed.

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { checkProof, parsePasskeys, passkeysIn } from '../../../packages/core/dist/internal.js'
import {
  parseBeginning,
  parseRegistration,
  parseRemoval,
} from '../../../packages/passkeys/dist/change-request.js'
import { passkeyLineFault } from '../../../packages/sdk/dist/audit/check-passkey-line.js'

/** @typedef {import('../parser.mjs').Parser} Parser */

const library = await import('../../../packages/passkeys/node_modules/@simplewebauthn/server/esm/index.js')

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x = '', y = '' } = publicKey.export({ format: 'jwk' })

/** The public key as COSE writes it: ES256 on P-256. */
const COSE = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  Buffer.from(x, 'base64url'),
  Buffer.from('225820', 'hex'),
  Buffer.from(y, 'base64url'),
])

const PASSKEY = { id: 'AAAA', publicKey: COSE.toString('base64url'), person: 'Ada' }
const SITE = { rpId: 'inbox.example', origins: ['https://inbox.example'] }

/** What the passkey has signed for the digest `abcd`, after it had verified the person. */
const CLIENT = JSON.stringify({ type: 'webauthn.get', challenge: 'q80', origin: SITE.origins[0] })
const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text).digest()
const DATA = Buffer.concat([sha256(SITE.rpId), Buffer.from('0500000001', 'hex')])
const PROOF = {
  id: 'AAAA',
  clientDataJSON: Buffer.from(CLIENT).toString('base64url'),
  authenticatorData: DATA.toString('base64url'),
  signature: sign('sha256', Buffer.concat([DATA, sha256(CLIENT)]), privateKey).toString('base64url'),
}
const RESPONSE = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: PROOF.clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' },
  clientExtensionResults: {},
}
const USE = {
  ...PROOF,
  ...SITE,
  publicKey: PASSKEY.publicKey,
  signed: { toolCallId: 'toolu_1', questionDigest: 'ab', answer: 'cd' },
  counter: 1,
  isBackedUp: false,
}

/** @type {Parser[]} */
export const PASSKEYS = [
  {
    name: 'passkeys: what a run is started with',
    kind: 'json',
    samples: [{ ...SITE, policy: [{ for: { tools: ['Bash'] }, passkey: true }, {}], passkeys: [PASSKEY] }],
    refuses: ['INVALID_REQUEST'],
    read: (text) => passkeysIn({ SANDAGENT_PASSKEYS: text }),
  },
  {
    name: 'passkeys: a list',
    kind: 'json',
    samples: [[PASSKEY]],
    refuses: ['INVALID_FILE'],
    read: (text) => parsePasskeys(text),
  },
  {
    name: 'passkeys: the beginning of a registration',
    kind: 'value',
    samples: [{ code: 'b' }, {}],
    refuses: ['INVALID_REQUEST'],
    read: (value) => parseBeginning(value),
  },
  {
    name: 'passkeys: a registration',
    kind: 'value',
    samples: [{ challenge: 'a', code: 'b', name: 'c', response: RESPONSE }],
    refuses: ['INVALID_REQUEST'],
    read: (value) => parseRegistration(value),
  },
  {
    name: 'passkeys: a removal',
    kind: 'value',
    samples: [{ challenge: 'a', proof: PROOF, id: 'AAAA' }],
    refuses: ['INVALID_REQUEST'],
    read: (value) => parseRemoval(value),
  },
  {
    name: 'passkeys: what one has signed',
    kind: 'value',
    samples: [PROOF],
    refuses: ['PASSKEY_NEEDED'],
    read(value) {
      const text = (/** @type {string} */ name) => {
        const part = Object(value)[name]
        return typeof part === 'string' ? part : ''
      }
      const { clientDataJSON, authenticatorData, signature } = {
        clientDataJSON: text('clientDataJSON'),
        authenticatorData: text('authenticatorData'),
        signature: text('signature'),
      }
      const proof = { id: PASSKEY.id, clientDataJSON, authenticatorData, signature }
      return checkProof(library, proof, { ...SITE, digest: 'abcd', passkey: PASSKEY })
    },
  },
  {
    name: 'passkeys: a line of an audit log',
    kind: 'value',
    samples: [{ toolCallId: 'toolu_1', answeredBy: 'Ada', passkey: USE }],
    refuses: [],
    read: (value) => passkeyLineFault(Object(value), undefined),
  },
]
