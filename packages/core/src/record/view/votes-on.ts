import type { PasskeySite } from '../../answer/passkey-proof.ts'
import { questionDigestOf } from '../answer-file/signed-claims.ts'
import { type Author, authorId, isSameName, shownName } from '../people/author.ts'
import { demandedBy, type PolicyRule } from '../people/policy-rule.ts'
import type { Vote } from '../people/vote.ts'
import type { QuestionState } from '../question-state.ts'
import type { PasskeyOffer, QuestionView, ShownVote } from './question-view.ts'

/** A person who sees a question, and what a policy says about both. */
export interface Viewer extends Author {
  /** The rule for the question. */
  rule?: PolicyRule
  /** Whether the person may answer. */
  mayAnswer?: boolean
  /** The roles of the rule that the person has. */
  roles?: readonly string[]
  /** How the person can sign with a passkey, where the rule demands one. */
  passkey?: PasskeyOffer
  /** Where people use passkeys on this host. Absent: nowhere. */
  passkeySite?: PasskeySite
  /** What the person can allow beyond the call, and whether they can give files. */
  offer?: Pick<QuestionView, 'scopes' | 'asksAgain' | 'takesFiles'>
  /** Whether a stored vote counts by the rule. Default: each does. */
  counts?: (vote: Vote) => boolean
}

/** The stored votes for what is asked now. The agent may have changed the question after some of them. */
export const votesOn = (
  { record, answerFile }: QuestionState,
  counts: NonNullable<Viewer['counts']> = () => true,
): readonly Vote[] =>
  !record || answerFile?.questionDigest === questionDigestOf(record)
    ? (answerFile?.votes ?? []).filter(counts)
    : []

/**
 * What a view says of a policy, and of the rule that it has for the question. While the question is open, somebody who may not
 * answer learns how many have voted, but not who and how.
 */
export function policyFor(
  state: QuestionState,
  viewer: Viewer | undefined,
  given: PolicyRule | undefined = viewer?.rule,
): Pick<QuestionView, 'rule' | 'mayAnswer' | 'votes'> {
  const { mayAnswer } = viewer ?? {}
  const rule = given ?? state.answerFile?.rule ?? demandedBy(state.record)
  if (!rule) return {}
  const isSecret = mayAnswer === false && state.answerFile?.status === 'pending'
  const votes = votesOn(state, viewer?.counts).map(
    ({ answeredBy, responses = {}, revision, timestamp: at }): ShownVote => {
      const author = { answeredBy }
      const isOwn = isSameName(viewer?.answeredBy, answeredBy)
      // The id of an author is made of the name, which others could guess.
      if (isSecret && !isOwn) return { id: `${revision}`, name: '', responses: {}, revision, at }
      const name = shownName(author).name ?? ''
      return { id: authorId(author), name, responses, revision, at, ...(isOwn && { isOwn }) }
    },
  )
  return { rule, ...(mayAnswer !== undefined && { mayAnswer }), ...(votes.length > 0 && { votes }) }
}
