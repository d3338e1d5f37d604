import {
  ANSWER_TOKEN_TYPE,
  type AnswerClaims,
  AskError,
  type Authenticate,
  answerFileOf,
  type Clock,
  misplaced,
  parseAnswerClaims,
} from '@sandagent/core/internal'
import { errors } from 'jose'
import { keysOfRun } from '../run-records/keys-of-run.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { loadSigningKeys } from './load-signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Verified signatures and their claims, by keys: subscribed questions are read again and again. */
const verifiedBy = new WeakMap<SigningKeys, Map<string, AnswerClaims>>()
const MOST_VERIFIED = 2000
/** Longer signatures are verified each time, so that drafts cannot fill the memory. In characters. */
const LONGEST_REMEMBERED = 4096

/**
 * Makes the host's check of answer files. For a run that was given keys of this host, only signed answers count.
 *
 * @param options.signingKeys default: those of this host, if it has any; `null` for none
 */
export function authenticatorOf(
  sandbox: AnswerableSandbox,
  { signingKeys, clock }: { signingKeys: SigningKeys | null | undefined; clock: Clock },
): Authenticate {
  const claimsIn = async (signature: string, own: SigningKeys): Promise<AnswerClaims | null> => {
    try {
      return parseAnswerClaims(await own.verify(signature, { type: ANSWER_TOKEN_TYPE, clock }))
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof AskError) return null
      throw error
    }
  }

  return async (answerFile, record) => {
    const { signature } = answerFile
    const own = signingKeys === undefined ? await loadSigningKeys() : signingKeys
    if (own === null) return answerFile
    const verified = verifiedBy.get(own) ?? new Map<string, AnswerClaims>()
    verifiedBy.set(own, verified)
    if (signature !== undefined) {
      const claims = verified.get(signature) ?? (await claimsIn(signature, own))
      // The run id is the runner's to check: a run may continue another.
      if (claims && !misplaced(claims, record, [claims.runId])) {
        if (signature.length <= LONGEST_REMEMBERED) remember(verified, signature, claims)
        return answerFileOf(claims, record, signature)
      }
    }
    const known = (await keysOfRun(sandbox, record.runId)) ?? record.publicKeyIds
    const isOurs = own.publicKeys.keys.some(({ kid }) => kid !== undefined && known?.includes(kid))
    return isOurs ? null : answerFile
  }
}

function remember(verified: Map<string, AnswerClaims>, signature: string, claims: AnswerClaims): void {
  verified.delete(signature)
  verified.set(signature, claims)
  for (const oldest of verified.keys()) {
    if (verified.size <= MOST_VERIFIED) return
    verified.delete(oldest)
  }
}
