// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import {
  type AnswerFile,
  AskError,
  type HostPasskeys,
  isAccountedFor,
  isSameName,
  isSettled,
  missingProof,
  type QuestionRecord,
} from '@sandagent/core/internal'

/**
 * Checks an answer that is stored as its run does, as far as the host can: it does not know the key of a passkey that was
 * removed since.
 *
 * @returns why the run ignores it; `null` if it counts, or needs no passkey
 */
export async function unprovenBy(
  answerFile: AnswerFile,
  record: QuestionRecord,
  passkeys: HostPasskeys | undefined,
): Promise<string | null> {
  const { passkeys: demand } = record
  if (record.kind !== 'approval' || !demand) return null
  // What a run has taken, it has checked. Another answer beside it may be forged.
  if (isSettled(record) && isAccountedFor(record, answerFile)) return null
  const keys = passkeys ? await passkeys.list() : []
  return missingProof(answerFile, record, {
    votes: demand.votes,
    async check({ passkey: proof, answeredBy }, digest) {
      const key = keys.find(({ id }) => id === proof?.id)
      if (!proof || !demand.ids.includes(proof.id) || (key && !isSameName(key.person, answeredBy)))
        throw new AskError('PASSKEY_NEEDED', `no passkey of ${answeredBy} that the run knows has signed it`)
      if (key) await passkeys?.verify(proof, digest, key, demand)
    },
  })
}
