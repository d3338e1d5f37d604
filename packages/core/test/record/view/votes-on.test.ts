import { describe, expect, it } from 'vitest'
import type { AnswerFile } from '../../../src/record/answer-file/answer-file.ts'
import { questionDigestOf } from '../../../src/record/answer-file/signed-claims.ts'
import { authorId } from '../../../src/record/people/author.ts'
import type { Vote } from '../../../src/record/people/vote.ts'
import { policyFor, votesOn } from '../../../src/record/view/votes-on.ts'
import { openRecord } from '../../records.ts'

const record = openRecord()
const rule = { roles: ['lead'], votes: 2 }
const vote = (answeredBy: string, revision: number): Vote => ({
  answeredBy,
  revision,
  timestamp: `2026-01-01T00:00:0${revision}.000Z`,
  responses: { q1: { selected: [], freeText: answeredBy, source: 'human' } },
})
const votes = [vote('Ada', 1), vote('Ben', 2)]
const stateWith = (more: Partial<AnswerFile> = {}) => ({
  toolCallId: 'toolu_1',
  record,
  answerFile: {
    questions: record.questions,
    answers: {},
    status: 'pending' as const,
    timestamp: 'now',
    questionDigest: questionDigestOf(record),
    rule,
    votes,
    ...more,
  },
})

describe('the votes on a question', () => {
  it('are those for what is asked now', () => {
    expect(votesOn(stateWith())).toEqual(votes)
    expect(votesOn(stateWith({ questionDigest: 'of another question' }))).toEqual([])
    expect(votesOn({ toolCallId: 'toolu_1', record })).toEqual([])
    const { votes: _, ...none } = stateWith().answerFile
    expect(votesOn({ toolCallId: 'toolu_1', record, answerFile: none })).toEqual([])
  })

  it('are all that are stored where no record tells what is asked', () => {
    const { answerFile } = stateWith({ questionDigest: 'any' })
    expect(votesOn({ toolCallId: 'toolu_1', answerFile })).toEqual(votes)
  })

  it('are those that count by the rule', () => {
    expect(votesOn(stateWith(), ({ answeredBy }) => answeredBy === 'Ben')).toEqual([votes[1]])
  })
})

describe('what a view says of a policy', () => {
  const shown = (name: string, revision: number, isOwn?: true) => ({
    id: authorId({ answeredBy: name }),
    name,
    responses: vote(name, revision).responses,
    revision,
    at: vote(name, revision).timestamp,
    ...(isOwn && { isOwn }),
  })

  it('is nothing without a rule', () => {
    const { rule: _, ...answerFile } = stateWith().answerFile
    expect(policyFor({ toolCallId: 'toolu_1', record, answerFile }, { mayAnswer: true })).toEqual({})
    expect(policyFor({ toolCallId: 'toolu_1', record }, undefined)).toEqual({})
  })

  it('is the rule and the votes; the rule of the viewer comes first', () => {
    expect(policyFor(stateWith(), undefined)).toEqual({ rule, votes: [shown('Ada', 1), shown('Ben', 2)] })
    expect(policyFor(stateWith({ votes: [] }), { rule: { votes: 3 }, mayAnswer: true })).toEqual({
      rule: { votes: 3 },
      mayAnswer: true,
    })
  })

  it('marks the vote of the person who sees it', () => {
    expect(policyFor(stateWith(), { answeredBy: 'ada', mayAnswer: true })).toEqual({
      rule,
      mayAnswer: true,
      votes: [shown('Ada', 1, true), shown('Ben', 2)],
    })
  })

  it('tells somebody who may not answer how many have voted, and their own vote', () => {
    const secret = { id: '2', name: '', responses: {}, revision: 2, at: votes[1]?.timestamp }
    expect(policyFor(stateWith(), { answeredBy: 'Ada', mayAnswer: false })).toEqual({
      rule,
      mayAnswer: false,
      votes: [shown('Ada', 1, true), secret],
    })
  })

  it('tells everybody who voted for a final answer, which has the responses once', () => {
    const given = votes.map(({ responses: _, ...rest }) => rest)
    const view = policyFor(stateWith({ status: 'completed', votes: given }), { mayAnswer: false })
    expect(view.votes).toEqual([
      { ...shown('Ada', 1), responses: {} },
      { ...shown('Ben', 2), responses: {} },
    ])
  })

  it('counts only what counts by the rule', () => {
    const { votes: left } = policyFor(stateWith(), { counts: ({ revision }) => revision === 2 })
    expect(left).toEqual([shown('Ben', 2)])
  })
})
