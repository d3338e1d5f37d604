import { type QuestionState, questionDigestOf } from '@sandagent/core/internal'
import { answerFileFor as draftFor, openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { answerFileFor } from '../../src/answers/answer-to-store.ts'
import type { CountedAnswer } from '../../src/policy/count-votes.ts'

const record = openRecord('c')
const recorded: QuestionState = { toolCallId: 'c', record }
const A = { q1: { selected: ['A'], source: 'human' as const } }
const B = { q1: { selected: ['B'], source: 'human' as const } }
const NOW = Date.parse('2026-01-01T00:01:00.000Z')

describe('an answer file', () => {
  const [question] = record.questions
  const asked = [{ question: question?.question, options: question?.options }]
  const counted: CountedAnswer = {
    questions: record.questions,
    status: 'completed',
    responses: A,
    isProvisional: false,
  }
  const fileFor = (
    more: object = {},
    facts: Partial<Parameters<typeof answerFileFor>[2]> = {},
    state: QuestionState = recorded,
  ) => answerFileFor(state, { ...counted, ...more }, { author: {}, now: NOW, ...facts })
  const plain = {
    questions: asked,
    answers: { 'Which language?': 'A' },
    status: 'completed',
    timestamp: '2026-01-01T00:01:00.000Z',
    version: 1,
    toolCallId: 'c',
    nonce: 'nonce of c',
    questionDigest: questionDigestOf(record),
    revision: 1,
    responses: A,
  }
  const { nonce: _, questionDigest: __, ...unbound } = plain
  const vote = { answeredBy: 'ada', timestamp: record.askedAt, revision: 1 }
  const rule = { votes: 2 }

  it.each([
    ['of nobody', fileFor(), plain],
    ['of no recorded question', fileFor({}, {}, { toolCallId: 'c' }), unbound],
    ['that is replaceable', fileFor({ isProvisional: true }), { ...plain, replaceable: true }],
    ['of a person', fileFor({}, { author: { answeredBy: 'ada' } }), { ...plain, answeredBy: 'ada' }],
    ['of a browser', fileFor({}, { browser: 'x' }), { ...plain, browser: 'x' }],
    ['with a reason of no refusal', fileFor({}, { reason: 'why' }), plain],
    [
      'after another',
      fileFor({}, {}, { ...recorded, answerFile: draftFor('c', { revision: 4 }) }),
      { ...plain, revision: 5 },
    ],
    [
      'after an older one',
      fileFor({}, {}, { ...recorded, answerFile: draftFor('c', { revision: undefined as never }) }),
      plain,
    ],
    [
      'with votes',
      fileFor({ policy: { rule, votes: [vote] } }, { author: { answeredBy: 'ada' } }),
      { ...plain, answeredBy: 'ada', rule, votes: [vote] },
    ],
  ])('%s holds just this', (_, file, expected) => {
    expect(file).toEqual(expected)
  })

  it('that declines holds the reason, if there is one', () => {
    const declined = { status: 'declined', responses: {} }
    const written = { ...plain, status: 'declined', answers: {}, responses: {} }
    expect(fileFor(declined)).toEqual(written)
    expect(fileFor(declined, { reason: '' })).toEqual({ ...written, reason: '' })
  })

  it('of votes that are not enough is nobody’s', () => {
    const waiting = { status: 'pending', policy: { rule, votes: [vote] } }
    const who = { author: { answeredBy: 'ada' }, browser: 'x' }
    expect(fileFor(waiting, who)).toEqual({ ...plain, status: 'pending', rule, votes: [vote] })
    expect(fileFor({ status: 'pending' }, who)).toEqual({
      ...plain,
      status: 'pending',
      answeredBy: 'ada',
      browser: 'x',
    })
  })

  it('of a draft keeps the drafts of other people, and an answer does not', () => {
    const state = { ...recorded, answerFile: draftFor('c', { answeredBy: 'bo', responses: B }) }
    const bo = { answeredBy: 'bo', responses: B, revision: 1, timestamp: '2026-01-01T00:00:01.000Z' }
    const ada = { author: { answeredBy: 'ada' } }
    expect(fileFor({ status: 'pending' }, ada, state)).toMatchObject({ revision: 2, otherDrafts: [bo] })
    expect(fileFor({ status: 'pending' }, { author: { answeredBy: 'bo' } }, state)).not.toHaveProperty(
      'otherDrafts',
    )
    expect(fileFor({}, ada, state)).not.toHaveProperty('otherDrafts')
    expect(fileFor({ status: 'pending', ownDraft: A }, ada, state).otherDrafts).toEqual([
      { answeredBy: 'ada', responses: A, revision: 2, timestamp: '2026-01-01T00:01:00.000Z' },
      bo,
    ])
  })

  it('keeps the ids that the asker chose, and leaves out those that were counted', () => {
    const own = [{ ...record.questions[0], id: 'language' }]
    expect(fileFor({ questions: own }).questions).toEqual(own)
    expect(fileFor().questions).toEqual(asked)
  })
})
