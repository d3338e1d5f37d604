// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  type AnswerFile,
  AskError,
  checkProof,
  decidedOnce,
  isSameName,
  missingProof,
  type PolicyRule,
  passkeysBy,
  type QuestionRecord,
  type RunPasskeys,
  ruleFor,
  votesNeeded,
  type WebAuthnVerifier,
} from '@sandagent/core/internal'

/** The questions as a run asks them, see `decidedOnce`. */
export const askedIn = (
  { kind, questions }: QuestionRecord,
  run: RunPasskeys | undefined,
): QuestionRecord['questions'] =>
  kind === 'approval' && run?.policy.some(({ passkey }) => passkey) ? questions.map(decidedOnce) : questions

/** What a run demands of the answers to a question, as its record says it; `undefined` where it demands no passkey. */
export function demandOn(
  record: QuestionRecord,
  run: RunPasskeys | undefined,
): QuestionRecord['passkeys'] | undefined {
  const rule = run && demandingRule(record, run)
  if (!rule) return undefined
  const ids = passkeysBy(rule, run.passkeys).map(({ id }) => id)
  return { rpId: run.rpId, origins: run.origins, ids, votes: votesNeeded(rule), runId: record.runId }
}

const demandingRule = (record: QuestionRecord, { policy }: RunPasskeys): PolicyRule | undefined => {
  const rule = record.kind === 'approval' ? ruleFor(policy, record) : undefined
  return rule?.passkey ? rule : undefined
}

/**
 * Checks what passkeys have signed of an answer, see `missingProof`.
 *
 * @returns why the answer does not count; `null` if it does, or needs no passkey
 */
export async function missingPasskey(
  answerFile: AnswerFile,
  record: QuestionRecord,
  run: RunPasskeys,
): Promise<string | null> {
  const rule = demandingRule(record, run)
  if (!rule) return null
  const keys = passkeysBy(rule, run.passkeys)
  return missingProof(answerFile, record, {
    votes: votesNeeded(rule),
    async check({ passkey: proof, answeredBy }, digest) {
      const key = keys.find(({ id }) => id === proof?.id)
      if (!proof || !key || !isSameName(key.person, answeredBy))
        throw new AskError('PASSKEY_NEEDED', `no passkey of ${answeredBy} that this run knows has signed it`)
      await checkProof(await loadPasskeyVerifier(), proof, { ...run, digest, passkey: key })
    },
  })
}

/** Loads what checks passkeys: most runs demand none. @throws AskError `NOT_FOUND` without `@simplewebauthn/server` */
export const loadPasskeyVerifier = (): Promise<WebAuthnVerifier> =>
  import('@simplewebauthn/server').catch((cause: unknown) => {
    throw new AskError(
      'NOT_FOUND',
      'This run demands passkeys, and cannot check them: npm install @simplewebauthn/server beside its runner',
      { cause },
    )
  })
