// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  type AnswerFile,
  AskError,
  allowsAny,
  checkProof,
  decisionOn,
  isSameName,
  isSameVote,
  isSignable,
  jointResponses,
  nameKey,
  type PolicyRule,
  parseRunPasskeys,
  type QuestionRecord,
  type RunPasskeys,
  ruleFor,
  sameResponses,
  signedDigest,
  type Vote,
  votesNeeded,
} from '@sandagent/core/internal'

/** What a run demands of the answers to a question, as its record says it; `undefined` where it demands no passkey. */
export function demandOn(
  record: QuestionRecord,
  run: RunPasskeys | undefined,
): QuestionRecord['passkeys'] | undefined {
  const rule = run && demandingRule(record, run)
  return rule && { ids: keysBy(rule, run).map(({ id }) => id), votes: votesNeeded(rule) }
}

const demandingRule = (record: QuestionRecord, { policy }: RunPasskeys): PolicyRule | undefined => {
  const rule = record.kind === 'approval' ? ruleFor(policy, record) : undefined
  return rule?.passkey ? rule : undefined
}

/** The passkeys of those who may answer. Who has a role, and who owns the run, only the host knows. */
const keysBy = ({ people, roles, owner }: PolicyRule, { passkeys }: RunPasskeys) =>
  people && !roles && !owner
    ? passkeys.filter(({ person }) => people.some((name) => isSameName(name, person)))
    : passkeys

/**
 * Checks that passkeys have signed what an answer allows, each with its person's own words. What the host says of it does not
 * count: whoever has the host's key could say the same.
 *
 * @returns why the answer does not count; `null` if it does, or needs no passkey
 */
export async function missingPasskey(
  { responses = {}, votes = [], status }: AnswerFile,
  record: QuestionRecord,
  run: RunPasskeys,
): Promise<string | null> {
  const rule = demandingRule(record, run)
  if (!rule || status === 'declined' || !allowsAny(responses)) return null
  const { questions } = record
  if (!isSignable(questions, responses)) return 'a passkey can only sign for "Allow once"'
  if (votes.length === 0) return 'nobody has signed it'
  const keys = keysBy(rule, run)
  const given = votes.map((vote) => vote.responses ?? responses)
  const isJoint =
    given.every((each) => isSameVote(questions, each, responses)) &&
    sameResponses(questions, jointResponses(questions, given), responses)
  if (!isJoint) return 'the votes are for another answer'
  const people = new Set<string>()
  try {
    for (const vote of votes) people.add(await signerOf(vote, { record, run, keys, responses }))
  } catch (error) {
    if (error instanceof AskError && error.code === 'PASSKEY_NEEDED') return error.message
    throw error
  }
  const missing = votesNeeded(rule) - people.size
  return missing > 0
    ? `passkeys of ${missing} more ${missing === 1 ? 'person' : 'people'} must sign it`
    : null
}

/** The person whose passkey signed a vote. @throws AskError `PASSKEY_NEEDED` */
async function signerOf(
  { passkey: proof, responses, answeredBy }: Vote,
  given: { record: QuestionRecord; run: RunPasskeys; keys: RunPasskeys['passkeys'] } & Required<
    Pick<Vote, 'responses'>
  >,
): Promise<string> {
  const { record, run, keys } = given
  const key = keys.find(({ id }) => id === proof?.id)
  if (!proof || !key || !isSameName(key.person, answeredBy))
    throw new AskError('PASSKEY_NEEDED', `no passkey of ${answeredBy} that this run knows has signed it`)
  const digest = signedDigest(decisionOn(record, responses ?? given.responses))
  await checkProof(await loadVerifier(), proof, { ...run, digest, passkey: key })
  return nameKey(key.person)
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
const loadVerifier = () =>
  import('@simplewebauthn/server').catch((cause: unknown) => {
    throw new AskError(
      'NOT_FOUND',
      'This run demands passkeys, and cannot check them: npm install @simplewebauthn/server beside its runner',
      { cause },
    )
  })
