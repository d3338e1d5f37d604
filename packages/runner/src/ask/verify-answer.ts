import {
  ANSWER_TOKEN_TYPE,
  type AnswerClaims,
  type Approval,
  AskError,
  approvalOf,
  type Clock,
  type MisplacedAnswer,
  misplaced,
  parseAnswerClaims,
  type QuestionRecord,
  SIGNATURE_ALGORITHM,
} from '@sandagent/core'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'

/** Why an approval does not count where answers must be signed. */
export type Forgery = 'UNSIGNED' | 'BAD_SIGNATURE' | 'SIGNATURE_EXPIRED' | 'ROLLED_BACK' | MisplacedAnswer

/** An approval made of what is signed, or why there is none. */
export type Verdict = { approval: Approval; revision: number } | { forgery: Forgery }

/**
 * Makes the check of approvals by a host's public keys.
 *
 * @returns a function that takes an approval, the question that it should answer, and the runs in which it may have
 *   been given
 */
export function createVerifier(
  keys: JSONWebKeySet,
  clock: Clock,
): (approval: Approval, record: QuestionRecord, runIds: readonly string[]) => Promise<Verdict> {
  const keySet = createLocalJWKSet(keys)

  const claimsIn = async (signature: string): Promise<AnswerClaims | Forgery> => {
    try {
      const { payload } = await jwtVerify(signature, keySet, {
        algorithms: [SIGNATURE_ALGORITHM],
        typ: ANSWER_TOKEN_TYPE,
        requiredClaims: ['iat', 'exp'],
        currentDate: new Date(clock.now()),
      })
      return parseAnswerClaims(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'SIGNATURE_EXPIRED'
      if (error instanceof errors.JOSEError || error instanceof AskError) return 'BAD_SIGNATURE'
      throw error
    }
  }

  return async ({ signature }, record, runIds) => {
    if (signature === undefined) return { forgery: 'UNSIGNED' }
    const claims = await claimsIn(signature)
    if (typeof claims === 'string') return { forgery: claims }
    const forgery = misplaced(claims, record, runIds)
    return forgery
      ? { forgery }
      : { approval: approvalOf(claims, record, signature), revision: claims.revision }
  }
}
