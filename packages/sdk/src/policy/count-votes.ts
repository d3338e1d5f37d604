// Why it is so: docs/decisions/0084-a-vote-is-a-draft-without-responses.md

import {
  type AnswerFile,
  type AnswerStatus,
  AskError,
  type AskedQuestion,
  decisionOf,
  isSameName,
  isSameVote,
  jointResponses,
  type PasskeyProof,
  type PolicyRule,
  type QuestionRecord,
  type QuestionState,
  type Responses,
  responseTo,
  type Viewer,
  type Vote,
  votesNeeded,
  votesOn,
} from '@sandagent/core/internal'

/** The longest JSON of all votes for a question, in characters. */
const MOST_CHARS = 131_072

/** An answer as a person gave it. */
export interface GivenAnswer {
  questions: AskedQuestion[]
  status: AnswerStatus
  responses: Readonly<Responses>
  /** Whether the same person's next answer replaces this one. */
  isProvisional: boolean
}

/** An answer of a person who may answer, as it is stored under a policy. */
export interface CountedAnswer extends GivenAnswer {
  /** What is stored of the policy. */
  policy?: Pick<AnswerFile, 'rule' | 'votes'>
  /** The person's draft, while votes are counted: the agent must not get it at a time-out. */
  ownDraft?: Responses
  /** How many more people must give the same answer. */
  missingVotes?: number
}

/**
 * Counts an answer under a rule, of somebody who may answer. A refusal is final at once, and so is a denied approval. Any other
 * answer is a vote until enough different people have given the same. A person has one vote, the latest, however the name is
 * written. Notes may differ: the agent gets all of them.
 *
 * @throws AskError `TOO_LARGE` for votes that are too long together
 */
export function countVotes(
  state: QuestionState,
  answer: GivenAnswer,
  { rule, roles = [], answeredBy = '', counts }: Viewer & { rule: PolicyRule },
  now: number,
  passkey?: PasskeyProof,
): CountedAnswer {
  const { questions, status, responses } = answer
  const needed = votesNeeded(rule)
  const votes = votesOn(state, counts)

  /** While votes are missing, the stored answer has no responses. So no runner and no older host can take it for an answer. */
  const waiting = (stored: readonly Vote[]): CountedAnswer => {
    if (JSON.stringify(stored).length > MOST_CHARS)
      throw new AskError(
        'TOO_LARGE',
        'The votes for this question are too long together. Vote without notes, or with shorter texts',
      )
    const policy = { rule, votes: [...stored] }
    return { ...answer, status: 'pending', responses: {}, isProvisional: false, policy }
  }

  if (status === 'pending') return needed === 1 ? answer : { ...waiting(votes), ownDraft: responses }
  const own: Vote = {
    answeredBy, // A rule allows nobody without a name.
    timestamp: new Date(now).toISOString(),
    revision: (state.answerFile?.revision ?? 0) + 1,
    ...(roles.length > 0 && { roles: [...roles] }),
    ...(passkey && { passkey }),
  }
  if (status === 'declined' || isDenial(state.record, responses))
    return { ...answer, policy: { rule, ...(answeredBy !== '' && { votes: [own] }) } }
  const others = votes.filter((vote) => !isSameName(vote.answeredBy, answeredBy))
  const same = others.filter((vote) => isSameVote(questions, vote.responses ?? {}, responses))
  const missingVotes = needed - same.length - 1
  if (missingVotes > 0)
    return { ...waiting([...others, { ...own, responses: { ...responses } }]), missingVotes }
  return {
    ...answer,
    isProvisional: answer.isProvisional && needed === 1,
    responses: jointResponses(questions, [...same.map((vote) => vote.responses ?? {}), responses]),
    policy: {
      rule,
      votes: [...same.map(finalVote), same.length > 0 && passkey ? { ...own, responses } : own],
    },
  }
}

/** A passkey has signed the person's own words, which the joint answer may not have. */
const finalVote = ({ responses, ...vote }: Vote): Vote => ({
  ...vote,
  ...(vote.passkey && responses && { responses }),
})

const isDenial = (record: QuestionRecord | undefined, responses: Readonly<Responses>): boolean =>
  record?.kind === 'approval' &&
  record.questions.some((question) => {
    const response = responseTo(responses, question)
    return response !== undefined && 'selected' in response && decisionOf(response.selected[0]) === 'deny'
  })
