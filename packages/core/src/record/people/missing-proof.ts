import { sameResponses } from '../../answer/response.ts'
import { AskError } from '../../lib/errors.ts'
import { type AnswerFile, responsesOf } from '../answer-file/answer-file.ts'
import type { QuestionRecord } from '../question-record.ts'
import { nameKey } from './author.ts'
import { allowsAny, decisionOn, isSignable, signedDigest } from './passkey-demand.ts'
import { isSameVote, jointResponses, type Vote } from './vote.ts'

/**
 * Checks that passkeys have signed what an answer allows, each with its person's own words. What the host says of it does not
 * count: whoever has the host's key could say the same. For a question that demands passkeys.
 *
 * @param demand.votes how many people must sign
 * @param demand.check rejects with `PASSKEY_NEEDED` for a vote that no passkey of its person has signed. The digest is in hex
 * @returns why the answer does not count; `null` if it does, or needs no passkey
 */
export async function missingProof(
  answerFile: AnswerFile,
  record: QuestionRecord,
  { votes: needed, check }: { votes: number; check: (vote: Vote, digest: string) => Promise<unknown> },
): Promise<string | null> {
  const { questions } = record
  const { votes = [], status } = answerFile
  const responses = responsesOf(answerFile, questions)
  if (status === 'declined' || !allowsAny(responses)) return null
  if (!isSignable(questions, responses)) return 'a passkey can only sign for "Allow once"'
  if (votes.length === 0) return 'nobody has signed it'
  const given = votes.map((vote) => vote.responses ?? responses)
  const isJoint =
    given.every((each) => isSameVote(questions, each, responses)) &&
    sameResponses(questions, jointResponses(questions, given), responses)
  if (!isJoint) return 'the votes are for another answer'
  const people = new Set<string>()
  try {
    for (const vote of votes) {
      await check(vote, signedDigest(decisionOn(record, vote.responses ?? responses)))
      people.add(nameKey(vote.answeredBy))
    }
  } catch (error) {
    if (error instanceof AskError && error.code === 'PASSKEY_NEEDED') return error.message
    throw error
  }
  const missing = needed - people.size
  return missing > 0
    ? `passkeys of ${missing} more ${missing === 1 ? 'person' : 'people'} must sign it`
    : null
}
