import { sha256Hex } from '../lib/digest.ts'
import type { AskedQuestion, Question } from './question.ts'

/** The name of a secret for those who may read it, 16 hex digits; `undefined` for a question without a key. */
export const secretIdOf = ({ secret }: Question): string | undefined =>
  typeof secret === 'object' ? sha256Hex(secret.publicKey).slice(0, 16) : undefined

export const hasSecret = (questions: readonly Question[]): boolean => questions.some(({ secret }) => secret)

/** Questions as the asker wrote them: each process that asks has keys of its own. */
export const withoutKeys = (questions: readonly AskedQuestion[]): readonly AskedQuestion[] =>
  hasSecret(questions)
    ? questions.map((question) => (question.secret ? { ...question, secret: true } : question))
    : questions
