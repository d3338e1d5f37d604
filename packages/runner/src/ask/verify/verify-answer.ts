import {
  ANSWER_TOKEN_TYPE,
  type AnswerClaims,
  type AnswerFile,
  AskError,
  answerFileOf,
  type Clock,
  type MisplacedAnswer,
  misplaced,
  parseAnswerClaims,
  type QuestionRecord,
  SIGNATURE_ALGORITHM,
  type WarningCode,
} from '@sandagent/core/internal'
import type { JSONWebKeySet } from 'jose'
import { JOSEError, JWTExpired } from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import { jwtVerify } from 'jose/jwt/verify'
import { createQuickVerifier } from './verify-at-once.ts'

/** Why a verified channel ignores an answer file. */
export type Forgery =
  | Extract<WarningCode, 'UNSIGNED' | 'BAD_SIGNATURE' | 'SIGNATURE_EXPIRED' | 'ROLLED_BACK'>
  | MisplacedAnswer

/** The answer file, rebuilt from its signed claims; or why it is ignored. */
export type Verdict = { answerFile: AnswerFile; revision: number } | { forgery: Forgery }

/** @returns a function that verifies an answer file for a question and the runs that may have asked it */
export function createVerifier(
  publicKeys: JSONWebKeySet,
  clock: Clock,
): (answerFile: AnswerFile, record: QuestionRecord, runIds: readonly string[]) => Promise<Verdict> {
  const keySet = createLocalJWKSet(publicKeys)
  const verifyAtOnce = createQuickVerifier(publicKeys, clock)

  const claimsIn = async (signature: string): Promise<AnswerClaims | Forgery> => {
    try {
      const known = verifyAtOnce(signature)
      if (known) return parseAnswerClaims(known)
      const { payload } = await jwtVerify(signature, keySet, {
        algorithms: [SIGNATURE_ALGORITHM],
        typ: ANSWER_TOKEN_TYPE,
        requiredClaims: ['iat', 'exp'],
        currentDate: new Date(clock.now()),
      })
      return parseAnswerClaims(payload)
    } catch (error) {
      if (error instanceof JWTExpired) return 'SIGNATURE_EXPIRED'
      if (error instanceof JOSEError || error instanceof AskError) return 'BAD_SIGNATURE'
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
      : { answerFile: answerFileOf(claims, record, signature), revision: claims.revision }
  }
}
