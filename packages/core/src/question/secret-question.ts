import { sha256Hex } from '../lib/digest.ts'
import type { AskedQuestion, Question } from './question.ts'

export const KEY_ID_CHARS = 16

/** The id of a public key, in hex. */
export const keyIdOf = (publicKey: string): string => sha256Hex(publicKey).slice(0, KEY_ID_CHARS)

/** The id of a secret, for those who may read it: that of its key. `undefined` for a question without one. */
export const secretIdOf = ({ secret }: Question): string | undefined =>
  typeof secret === 'object' ? keyIdOf(secret.publicKey) : undefined

/** Whether a secret was encrypted to the key of its question. Only the runner can say whether it can be opened. */
export const isSealedFor = (question: Question, sealed: string): boolean => {
  const id = secretIdOf(question)
  return id !== undefined && sealed.startsWith(id)
}

export const hasSecret = (questions: readonly Question[]): boolean => questions.some(({ secret }) => secret)

/** Questions as the asker wrote them: each process that asks has keys of its own. */
export const withoutKeys = (questions: readonly AskedQuestion[]): readonly AskedQuestion[] =>
  hasSecret(questions)
    ? questions.map((question) => (question.secret ? { ...question, secret: true } : question))
    : questions
