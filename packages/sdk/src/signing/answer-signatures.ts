import {
  ANSWER_TOKEN_TYPE,
  type AnswerClaims,
  AskError,
  type Authenticate,
  answerClaims,
  answerFileOf,
  type BoundAnswerFile,
  type Clock,
  type HostPasskeys,
  MAX_TIMEOUT_MS,
  misplaced,
  parseAnswerClaims,
  type QuestionRecord,
  unreachable,
} from '@sandagent/core/internal'
import { JOSEError } from 'jose/errors'
import { keysOfRun } from '../run-records/run-facts.ts'
import { SIGNING_KEY_VARIABLE } from '../sandbox/host-config.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { hostKeys } from './load-signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'
import { unprovenBy } from './unproven-by.ts'

/** How long a signature is valid: as long as a question can wait. */
const LIFETIME_MS = MAX_TIMEOUT_MS

interface SigningFacts {
  /** Default: the keys of this host, if it has any; `null` for none. */
  signingKeys: SigningKeys | null | undefined
  clock: Clock
}

/** The ids of the keys that the run of a question knows; `undefined` for a run that knows none. */
const keysKnownTo = async (
  sandbox: AnswerableSandbox,
  { runId, publicKeyIds }: QuestionRecord,
): Promise<readonly string[] | undefined> => (await keysOfRun(sandbox, runId, publicKeyIds)) ?? publicKeyIds

/**
 * Signs an answer file for a recorded question with a key that the run knows, if this host has keys.
 *
 * @throws AskError `NO_SIGNING_KEY`; `UNREACHABLE` when the public keys of the run cannot be read
 */
export async function signAnswer(
  sandbox: AnswerableSandbox,
  answerFile: BoundAnswerFile,
  record: QuestionRecord,
  { signingKeys, clock }: SigningFacts,
): Promise<BoundAnswerFile> {
  try {
    const own = await hostKeys(signingKeys)
    const knownKeys = await keysKnownTo(sandbox, record)
    if (own === null && knownKeys === undefined) return answerFile
    if (own === null)
      throw new AskError(
        'NO_SIGNING_KEY',
        `The run takes signed answers alone, and this host has no key. Give it the key of the host that started the run, in ${SIGNING_KEY_VARIABLE}`,
        { facts: { runId: record.runId } },
      )
    const claims = answerClaims(answerFile, record)
    const facts = { type: ANSWER_TOKEN_TYPE, lifetimeMs: LIFETIME_MS, clock, knownKeys }
    return { ...answerFile, signature: await own.sign(claims, facts) }
  } catch (error) {
    throw unreachable('This answer cannot be signed', error)
  }
}

/** Verified signatures and their claims, by keys: subscribed questions are read again and again. */
const verifiedBy = new WeakMap<SigningKeys, Map<string, AnswerClaims>>()
const MOST_VERIFIED = 2000
/** Longer signatures are verified each time, so that drafts cannot fill the memory. In characters. */
const LONGEST_REMEMBERED = 4096

/**
 * Makes the host's check of answer files. For a run that was given keys of this host, only signed answers count. Where the run
 * demands passkeys, only what they have signed allows: the runner ignores all else.
 */
export function authenticatorOf(
  sandbox: AnswerableSandbox,
  { passkeys, ...facts }: SigningFacts & { passkeys?: HostPasskeys | undefined },
): Authenticate {
  const isSigned = signatureCheck(sandbox, facts)
  return async (answerFile, record) => {
    const signed = await isSigned(answerFile, record)
    return signed && (await unprovenBy(signed, record, passkeys)) === null ? signed : null
  }
}

function signatureCheck(sandbox: AnswerableSandbox, { signingKeys, clock }: SigningFacts): Authenticate {
  return async (answerFile, record) => {
    const { signature } = answerFile
    const own = await hostKeys(signingKeys)
    if (own === null) return answerFile
    if (signature !== undefined) {
      const claims = await claimsIn(signature, own, clock)
      // The run id is the runner's to check: a run may continue another.
      if (claims && !misplaced(claims, record, [claims.runId])) return answerFileOf(claims, record, signature)
    }
    const known = await keysKnownTo(sandbox, record)
    const isOurs = own.publicKeys.keys.some(({ kid }) => kid !== undefined && known?.includes(kid))
    return isOurs ? null : answerFile
  }
}

async function claimsIn(signature: string, own: SigningKeys, clock: Clock): Promise<AnswerClaims | null> {
  const verified = verifiedBy.get(own) ?? new Map<string, AnswerClaims>()
  verifiedBy.set(own, verified)
  const known = verified.get(signature)
  if (known) return known
  try {
    const claims = parseAnswerClaims(await own.verify(signature, { type: ANSWER_TOKEN_TYPE, clock }))
    if (verified.size >= MOST_VERIFIED) verified.clear()
    if (signature.length <= LONGEST_REMEMBERED) verified.set(signature, claims)
    return claims
  } catch (error) {
    if (error instanceof JOSEError || error instanceof AskError) return null
    throw error
  }
}
