import { sha256Hex } from '../lib/digest.ts'
import type { AskedQuestion, Question } from './question.ts'

export const KEY_ID_CHARS = 16

/** The characters of a public key of P-256 that is not compressed, as base64url. */
export const KEY_CHARS = 87

/** Secrets are padded to a multiple of this many bytes, so that nobody learns how long they are. */
export const SEALED_STEP = 256

/** The key id, the key of the encapsulation, and what is encrypted. */
const SEALED = /^[0-9a-f]{16}B[A-P][\w-]+$/

/** At least one step is encrypted, with its tag of 16 bytes. */
const LEAST_SEALED_CHARS = KEY_ID_CHARS + KEY_CHARS + Math.ceil(((SEALED_STEP + 16) * 4) / 3)

/** The id of a public key, in hex. */
export const keyIdOf = (publicKey: string): string => sha256Hex(publicKey).slice(0, KEY_ID_CHARS)

/** The id of a secret, for those who may read it: that of its key. `undefined` for a question without one. */
export const secretIdOf = ({ secret }: Question): string | undefined =>
  typeof secret === 'object' ? keyIdOf(secret.publicKey) : undefined

/**
 * Whether a secret looks as one that was encrypted to the key of its question. Only the runner can say whether it can be
 * opened: it asks again if it cannot.
 */
export const isSealedFor = (question: Question, sealed: string): boolean => {
  const id = secretIdOf(question)
  return (
    id !== undefined && sealed.startsWith(id) && sealed.length >= LEAST_SEALED_CHARS && SEALED.test(sealed)
  )
}

/** What people read below the field. */
export const SECRET_TEXT = 'Encrypted here for the agent’s tools alone. It is in no draft'

export const hasSecret = (questions: readonly Question[]): boolean => questions.some(({ secret }) => secret)

/** Questions as the asker wrote them: each process that asks has keys of its own. */
export const withoutKeys = (questions: readonly AskedQuestion[]): readonly AskedQuestion[] =>
  hasSecret(questions)
    ? questions.map((question) => (question.secret ? { ...question, secret: true } : question))
    : questions
