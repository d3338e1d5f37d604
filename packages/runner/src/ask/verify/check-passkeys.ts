// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  type AnswerFile,
  AskError,
  checkProof,
  decidedOnce,
  isSameName,
  missingProof,
  PASSKEYS_VARIABLE,
  type PolicyRule,
  parseRunPasskeys,
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
      await checkProof(await loadVerifier(), proof, { ...run, digest, passkey: key })
    },
  })
}

/** What the host has given this process in `SANDAGENT_PASSKEYS`. @throws AskError `INVALID_REQUEST` with every fault */
export function givenPasskeys(): RunPasskeys | undefined {
  const text = process.env[PASSKEYS_VARIABLE]
  return text === undefined ? undefined : parseRunPasskeys(text)
}

/**
 * Reads the text of `SANDAGENT_PASSKEYS`, and makes sure that this runner can check what passkeys sign.
 *
 * @throws AskError `INVALID_REQUEST` with every fault, `NOT_FOUND` without `@simplewebauthn/server`
 */
export async function loadRunPasskeys(text: string): Promise<RunPasskeys> {
  const passkeys = parseRunPasskeys(text)
  await loadVerifier()
  return passkeys
}

/** It takes some time to load, and most runs demand no passkey. @throws AskError `NOT_FOUND` */
export const loadVerifier = (): Promise<WebAuthnVerifier> =>
  import('@simplewebauthn/server').catch((cause: unknown) => {
    throw new AskError(
      'NOT_FOUND',
      'This run demands passkeys, and cannot check them: npm install @simplewebauthn/server beside its runner',
      { cause },
    )
  })
