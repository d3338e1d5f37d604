import {
  ANSWER_TOKEN_TYPE,
  AskError,
  answerClaims,
  type BoundAnswerFile,
  type Clock,
  MAX_TIMEOUT_MS,
  type QuestionRecord,
} from '@sandagent/core/internal'
import { keysOfRun } from '../run-records/keys-of-run.ts'
import { SIGNING_KEY_VARIABLE } from '../sandbox/host-config.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { loadSigningKeys } from './load-signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'

/** How long a signature is valid: as long as a question can wait. */
const LIFETIME_MS = MAX_TIMEOUT_MS

/** Signs an answer file for a recorded question, if this host has keys. */
export type SignAnswer = (answerFile: BoundAnswerFile, record: QuestionRecord) => Promise<BoundAnswerFile>

/**
 * Makes the signer of a sandbox's answers. It signs with a key that the run knows.
 *
 * @param options.signingKeys default: those of this host, if it has any; `null` for none
 */
export function signerOf(
  sandbox: AnswerableSandbox,
  { signingKeys, clock }: { signingKeys: SigningKeys | null | undefined; clock: Clock },
): SignAnswer {
  return async (answerFile, record) => {
    const own = signingKeys === undefined ? await loadSigningKeys() : signingKeys
    const knownKeys = (await keysOfRun(sandbox, record.runId)) ?? record.publicKeyIds
    if (own === null && knownKeys === undefined) return answerFile
    if (own === null)
      throw new AskError(
        'NO_SIGNING_KEY',
        `The run takes signed answers alone, and this host has no key. Give it the key of the host that started the run, in ${SIGNING_KEY_VARIABLE}`,
        {
          facts: { runId: record.runId },
        },
      )
    const claims = answerClaims(answerFile, record)
    const facts = { type: ANSWER_TOKEN_TYPE, lifetimeMs: LIFETIME_MS, clock, knownKeys }
    return { ...answerFile, signature: await own.sign(claims, facts) }
  }
}
