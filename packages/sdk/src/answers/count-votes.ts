// Why it is so: docs/decisions/0084-a-vote-is-a-draft-without-responses.md

import {
  AskError,
  decisionOf,
  jointResponses,
  nameKey,
  type QuestionRecord,
  type QuestionState,
  type Responses,
  responseTo,
  sameResponses,
  type Vote,
  votesNeeded,
  votesOn,
  withoutNotes,
} from '@sandagent/core/internal'
import type { Caller, Ruling } from '../policy/ruling.ts'
import type { CountedAnswer, ReadAnswer } from './read-request.ts'

/** The longest JSON of all votes for a question, in characters. */
const MOST_CHARS = 131_072

/**
 * Counts an answer under a rule. A refusal is final at once, and so is a denied approval. Any other answer is a vote until
 * enough different people have given the same. A person has one vote, the latest,
 * however the name is written. Notes may differ: the agent gets all of them.
 *
 * @throws AskError `TOO_LARGE` for votes that are too long together
 */
export function countVotes(
  state: QuestionState,
  answer: ReadAnswer,
  ruling: Ruling,
  { person, now }: { person: Caller; now: number },
): CountedAnswer {
  const { questions, status, responses } = answer
  const needed = votesNeeded(ruling.rule)
  const votes = [...votesOn(state, { counts: ruling.allows })]
  if (status === 'pending')
    return needed === 1 ? answer : { ...answer, ...waiting(votes), ownDraft: responses }
  const roles = ruling.rolesOf(person)
  const own: Vote = {
    answeredBy: person.answeredBy ?? '', // A rule allows nobody without a name.
    timestamp: new Date(now).toISOString(),
    revision: (state.answerFile?.revision ?? 0) + 1,
    ...(roles.length > 0 && { roles }),
  }
  if (status === 'declined' || isDenial(state.record, responses)) return { ...answer, votes: [own] }
  const byPerson = new Map(votes.map((vote) => [nameKey(vote.answeredBy), vote]))
  byPerson.delete(nameKey(own.answeredBy))
  const others = [...byPerson.values()]
  const same = others.filter((vote) => isSameVote(questions, vote.responses ?? {}, responses))
  const missingVotes = needed - same.length - 1
  if (missingVotes > 0)
    return { ...answer, ...waiting([...others, { ...own, responses: { ...responses } }]), missingVotes }
  return {
    ...answer,
    isProvisional: answer.isProvisional && needed === 1,
    responses: jointResponses(questions, [...same.map((vote) => vote.responses ?? {}), responses]),
    votes: [...same.map(({ responses: _, ...vote }): Vote => vote), own],
  }
}

/** Whether two people gave the same answer, perhaps with other notes. */
export const isSameVote = (
  questions: ReadAnswer['questions'],
  a: Readonly<Responses>,
  b: Readonly<Responses>,
): boolean => sameResponses(questions, withoutNotes(a), withoutNotes(b))

/** The stored answer has no responses while votes are missing. So no runner and no older host can take it for an answer. */
function waiting(votes: Vote[]): Pick<CountedAnswer, 'status' | 'responses' | 'isProvisional' | 'votes'> {
  if (JSON.stringify(votes).length > MOST_CHARS)
    throw new AskError(
      'TOO_LARGE',
      'The votes for this question are too long together. Vote without notes, or with shorter texts',
    )
  return { status: 'pending', responses: {}, isProvisional: false, votes }
}

const isDenial = (record: QuestionRecord | undefined, responses: Readonly<Responses>): boolean =>
  record?.kind === 'approval' &&
  record.questions.some((question) => {
    const response = responseTo(responses, question)
    return response !== undefined && 'selected' in response && decisionOf(response.selected[0]) === 'deny'
  })
