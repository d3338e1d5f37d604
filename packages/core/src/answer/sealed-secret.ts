// Why it is so: docs/decisions/0114-a-secret-is-sealed-for-its-runner.md

import { AEAD_AES_128_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke'
import { AskError } from '../lib/errors.ts'
import { platform } from '../lib/platform.ts'
import { base64urlOf, bytesInBase64url } from '../lib/text/base64url.ts'
import { MAX_TYPED_CHARS } from '../question/limits.ts'
import { KEY_CHARS, KEY_ID_CHARS, keyIdOf, SEALED_STEP } from '../question/secret-question.ts'

/** The question that a secret is given to. Sealed for one, it cannot be opened as the answer to another. */
export interface SecretPlace {
  toolCallId: string
  questionId: string
  /** See `QuestionView.questionDigest`. */
  questionDigest: string
}

/** The keys of one secret, as base64url. */
export interface SecretKeys {
  publicKey: string
  privateKey: string
}

/** The suite that every browser has, also older ones. */
const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_128_GCM)

const bytesOf = (text: string): Uint8Array => new platform.TextEncoder().encode(text)
const INFO = bytesOf('sandagent secret 1')

export async function createSecretKeys(): Promise<SecretKeys> {
  const keys = await suite.GenerateKeyPair(true)
  return {
    publicKey: base64urlOf(await suite.SerializePublicKey(keys.publicKey)),
    privateKey: base64urlOf(await suite.SerializePrivateKey(keys.privateKey)),
  }
}

/**
 * Encrypts what a person typed, for the runner alone. The result is the `sealed` of a response: it begins with the id of its
 * key.
 *
 * @throws AskError `INVALID_REQUEST` where the platform cannot encrypt, such as on a page without https; `INVALID_ANSWERS` for
 *   a text that is empty or too long.
 */
export async function sealSecret(text: string, publicKey: string, place: SecretPlace): Promise<string> {
  if (!platform.crypto?.subtle)
    throw new AskError('INVALID_REQUEST', 'This page cannot encrypt. Open it over https, or on localhost')
  if (text === '') throw new AskError('INVALID_ANSWERS', EMPTY)
  const json = bytesOf(JSON.stringify(text))
  const padded = new Uint8Array(Math.ceil(json.length / SEALED_STEP) * SEALED_STEP).fill(SPACE)
  padded.set(json)
  const key = await suite.DeserializePublicKey(bytesInBase64url(publicKey))
  const { encapsulatedSecret, ciphertext } = await suite.Seal(key, padded, {
    info: INFO,
    aad: placeBytes(place),
  })
  const sealed = keyIdOf(publicKey) + base64urlOf(encapsulatedSecret) + base64urlOf(ciphertext)
  if (sealed.length > MAX_TYPED_CHARS)
    throw new AskError(
      'INVALID_ANSWERS',
      'This secret is too long. Put it into a file outside of the workdir, and answer with its path',
    )
  return sealed
}

const SPACE = 0x20
const EMPTY = 'A secret has at least one character'

/**
 * Opens a secret.
 *
 * @throws AskError `INVALID_ANSWERS` for one that was sealed for another question or another key, or is empty.
 */
export async function openSecret(sealed: string, privateKey: string, place: SecretPlace): Promise<string> {
  try {
    const key = await suite.DeserializePrivateKey(bytesInBase64url(privateKey), true)
    const from = KEY_ID_CHARS
    const at = from + KEY_CHARS
    const opened = await suite.Open(
      key,
      bytesInBase64url(sealed.slice(from, at)),
      bytesInBase64url(sealed.slice(at)),
      {
        info: INFO,
        aad: placeBytes(place),
      },
    )
    return textIn(new platform.TextDecoder().decode(opened, { stream: false }))
  } catch (cause) {
    throw new AskError(
      'INVALID_ANSWERS',
      'This secret was not sealed for this question and its key. Ask again',
      { cause },
    )
  }
}

/** The error of a parser would quote what it cannot read. */
function textIn(json: string): string {
  let text: unknown
  try {
    text = JSON.parse(json)
  } catch {
    throw new TypeError('This is no text')
  }
  if (typeof text !== 'string' || text === '') throw new TypeError(EMPTY)
  return text
}

const placeBytes = ({ toolCallId, questionId, questionDigest }: SecretPlace): Uint8Array =>
  bytesOf(JSON.stringify([toolCallId, questionId, questionDigest]))
