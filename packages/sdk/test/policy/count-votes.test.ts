import type { QuestionState, Responses, Viewer, Vote } from '@sandagent/core/internal'
import { parseQuestions } from '@sandagent/core/internal'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { countVotes, type GivenAnswer } from '../../src/policy/count-votes.ts'

const questions = parseQuestions([
  { question: 'Where to?', options: [{ label: 'Staging' }, { label: 'Production' }] },
])
const id = questions[0]?.id ?? ''
const chosen = (label: string, notes?: string): Responses => ({
  [id]: { selected: [label], source: 'human', ...(notes !== undefined && { notes }) },
})

const answer = (responses: Responses, more: Partial<GivenAnswer> = {}): GivenAnswer => ({
  questions,
  status: 'completed',
  responses,
  isProvisional: true,
  ...more,
})

const ada = (votes?: number) => ({
  answeredBy: 'Ada',
  rule: { ...(votes !== undefined && { votes }) },
  counts: ({ answeredBy }: Vote) => answeredBy !== 'Mallory',
})

const vote = (answeredBy: string, responses: Responses): Vote => ({
  answeredBy,
  responses,
  timestamp: '2026-01-01T00:00:00.000Z',
  revision: 1,
})

const stateWith = (votes: Vote[]): QuestionState => ({
  toolCallId: 't1',
  answerFile: { questions, answers: {}, status: 'pending', timestamp: '', revision: 4, votes },
})

const now = Date.parse('2026-01-02T03:04:05.000Z')
const count = (votes: Vote[], given: GivenAnswer, needed?: number, more: Viewer = {}) =>
  countVotes(stateWith(votes), given, { ...ada(needed), ...more }, now)

describe('countVotes', () => {
  it('waits while votes are missing, and no later answer replaces what is stored', () => {
    const counted = count([], answer(chosen('Staging')), 2)
    expect(counted).toMatchObject({ status: 'pending', responses: {}, isProvisional: false, missingVotes: 1 })
    expect(counted.policy?.votes).toEqual([
      {
        answeredBy: 'Ada',
        timestamp: '2026-01-02T03:04:05.000Z',
        revision: 5,
        responses: chosen('Staging'),
      },
    ])
  })

  it('ends with the votes that are the same, whose notes it joins', () => {
    const before = [
      vote('Ben', chosen('Staging', 'at night')),
      vote('Cleo', chosen('Production')),
      vote('Mallory', chosen('Staging')),
    ]
    const given = answer(chosen('Staging', 'soon'))
    expect(count(before.slice(1), given, 2).missingVotes).toBe(1)
    const counted = count(before, given, 2, { roles: ['lead'] })
    expect(counted).toMatchObject({ status: 'completed', isProvisional: false })
    expect(counted.policy?.votes?.map(({ answeredBy }) => answeredBy)).toEqual(['Ben', 'Ada'])
    expect(counted.policy?.votes?.[1]).toMatchObject({ roles: ['lead'] })
    expect(JSON.stringify(counted.policy?.votes)).not.toContain('responses')
    expect(JSON.stringify(counted.responses)).toMatch(/at night.*soon/)
    expect(counted).not.toHaveProperty('missingVotes')
  })

  it('lets a person change a vote, and counts each name once', () => {
    const counted = count([vote('ADA', chosen('Staging'))], answer(chosen('Staging')), 2)
    expect(counted.missingVotes).toBe(1)
    expect(counted.policy?.votes).toHaveLength(1)
  })

  it('stays replaceable where one answer is enough', () => {
    const counted = count([], answer(chosen('Staging')))
    expect(counted).toMatchObject({ status: 'completed', isProvisional: true })
    expect(count([], answer(chosen('Staging'), { isProvisional: false }))).toMatchObject({
      isProvisional: false,
    })
  })

  it('keeps a draft apart while votes are counted', () => {
    const draft = answer(chosen('Staging'), { status: 'pending' })
    expect(count([], draft)).toEqual(draft)
    const before = [vote('Ben', chosen('Production'))]
    expect(count(before, draft, 2)).toMatchObject({
      responses: {},
      ownDraft: chosen('Staging'),
      isProvisional: false,
      policy: { votes: before },
    })
  })

  it('takes a refusal at once, and a denied approval', () => {
    const refused = answer({}, { status: 'declined' })
    expect(count([], refused, 2)).toMatchObject({
      status: 'declined',
      policy: { rule: { votes: 2 }, votes: [{ answeredBy: 'Ada' }] },
    })
    const record = { ...openRecord('t1'), kind: 'approval' as const, questions }
    const decided = (value: string) =>
      countVotes({ ...stateWith([]), record }, answer(chosen(value)), ada(2), now)
    expect(decided('deny')).toMatchObject({
      status: 'completed',
      policy: { votes: [{ answeredBy: 'Ada' }] },
    })
    expect(decided('allow-once')).toMatchObject({ status: 'pending', missingVotes: 1 })
    expect(count([], answer(chosen('deny')), 2)).toMatchObject({ status: 'pending' })
  })

  it('refuses votes that are too long together', () => {
    const given = answer(chosen('Staging', 'n'.repeat(131_072)))
    expect(() => count([], given, 2)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  })
})
