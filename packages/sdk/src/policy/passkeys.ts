// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  type AnswerRequest,
  AskError,
  allowsAny,
  askedDigestOf,
  decisionOn,
  type HostPasskeys,
  invalid,
  isSameName,
  isSettled,
  isSignable,
  type Passkey,
  type PasskeyFacts,
  type PasskeyOffer,
  type PasskeyProof,
  type PasskeySite,
  passkeyNote,
  type QuestionRecord,
  type SignedDecision,
  signedDigest,
  signingSite,
  type Viewer,
} from '@sandagent/core/internal'
import type { GivenAnswer } from './count-votes.ts'

/** What a passkey has signed of an answer, and all that is needed to check it later. */
export interface PasskeyUse extends PasskeyProof, PasskeySite, PasskeyFacts, Pick<Passkey, 'publicKey'> {
  signed: SignedDecision
}

/** The passkeys of a person that count for a question; `null` for a passkey that its run does not know. */
const keysOf = async (
  { answeredBy }: Viewer,
  { passkeys: known }: QuestionRecord,
  passkeys: HostPasskeys,
): Promise<{ key: Passkey; isKnown: boolean }[]> =>
  (await passkeys.list())
    .filter(({ person }) => isSameName(person, answeredBy))
    .map((key) => ({ key, isKnown: !known || known.ids.includes(key.id) }))

/** What lets a person allow a question with a passkey; `undefined` where they have none that counts. */
export async function passkeyOffer(
  viewer: Viewer,
  record: QuestionRecord | undefined,
  passkeys: HostPasskeys | undefined,
): Promise<PasskeyOffer | undefined> {
  if (!record || isSettled(record) || !passkeys || viewer.mayAnswer === false) return undefined
  if (signingSite(record, passkeys).origins.length === 0) return undefined
  const keys = await keysOf(viewer, record, passkeys)
  const ids = keys.filter(({ isKnown }) => isKnown).map(({ key }) => key.id)
  return ids.length > 0 ? { rpId: passkeys.rpId, ids, asked: askedDigestOf(record) } : undefined
}

/**
 * Checks what a passkey has signed of an answer, where the rule demands it. The runner checks it again: here the person hears
 * at once.
 *
 * @returns the use of the passkey; `undefined` for an answer that needs none
 * @throws AskError `PASSKEY_NEEDED`; `INVALID_ANSWERS` for what no passkey can sign for
 */
export async function checkPasskey(
  { passkey: proof }: Pick<AnswerRequest, 'passkey'>,
  { questions, status, responses }: GivenAnswer,
  {
    viewer,
    record,
    passkeys,
  }: { viewer: Viewer; record: QuestionRecord | undefined; passkeys: HostPasskeys | undefined },
): Promise<PasskeyUse | undefined> {
  if (!viewer.rule?.passkey || !record || status === 'declined' || !allowsAny(responses)) return undefined
  if (!isSignable(questions, responses))
    throw invalid('INVALID_ANSWERS', 'A passkey cannot sign for this', [
      { path: 'responses', expected: '"allow-once" or a denial: each call needs a passkey of its own' },
    ])
  if (!passkeys)
    throw new AskError(
      'PASSKEY_NEEDED',
      'Allowing this needs a passkey, which cannot be given here. Allow it on the page of the inbox, or deny it here',
    )
  if (!proof || status === 'pending')
    throw new AskError(
      'PASSKEY_NEEDED',
      'Allowing this needs your passkey. Allow it on the page of the inbox, or deny it here',
    )
  const found = (await keysOf(viewer, record, passkeys)).find(({ key }) => key.id === proof.id)
  if (!found)
    throw new AskError(
      'PASSKEY_NEEDED',
      'This passkey is not registered for you. Register it in the settings',
    )
  if (!found.isKnown)
    throw new AskError(
      'PASSKEY_NEEDED',
      'This run does not know the passkey: it was started before. Deny it, and start the run again',
    )
  const site = signingSite(record, passkeys)
  const elsewhere = site.origins.length === 0 ? passkeyNote(record, viewer.rule, passkeys) : undefined
  if (elsewhere !== undefined) throw new AskError('PASSKEY_NEEDED', elsewhere)
  const { key } = found
  const signed = decisionOn(record, responses)
  const facts = await passkeys.verify(proof, signedDigest(signed), key, site)
  return { ...proof, publicKey: key.publicKey, ...site, signed, ...facts }
}
