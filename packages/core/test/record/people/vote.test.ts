import { describe, expect, it } from 'vitest'
import { parseWith } from '../../../src/lib/schema.ts'
import { parseQuestions } from '../../../src/question/parse-questions.ts'
import { otherDraftsSchema } from '../../../src/record/answer-file/parse-answer-file.ts'
import { isBy, isSameVote, jointResponses, votersIn, votesSchema } from '../../../src/record/people/vote.ts'
import { isPresence } from '../../../src/record/view/question-view.ts'

const picked = (label: string, notes?: string) => ({
  selected: [label],
  source: 'human' as const,
  ...(notes !== undefined && { notes }),
})
const timestamp = '2026-01-01T00:00:00.000Z'

it('voters are named where several people gave the answer', () => {
  const vote = (answeredBy: string) => ({ answeredBy, timestamp, revision: 1 })
  expect(votersIn([vote('Ada'), vote('Ben')])).toEqual(['Ada', 'Ben'])
  expect(votersIn([vote('Ada')])).toBeUndefined()
  expect(votersIn(undefined)).toBeUndefined()
})

it('answers that differ in their notes alone are the same for two people', () => {
  const questions = parseQuestions([{ question: 'A?' }, { question: 'B?' }])
  const noted = { q1: picked('A', 'why'), q2: { skipped: true as const, notes: 'later' } }
  expect(isSameVote(questions, noted, { q1: picked('A'), q2: { skipped: true } })).toBe(true)
  expect(isSameVote(questions, noted, { q1: picked('A') })).toBe(false)
  expect(isSameVote(questions, noted, { ...noted, q1: picked('B', 'why') })).toBe(false)
})

it.each([
  [{ kind: 'number' }, '10', '10.0', true],
  [{ kind: 'number', range: true }, '1/2', '1.0/2', true],
  [{ kind: 'date-time', zone: true }, '2026-01-31T14:30+01:00', '2026-01-31T13:30Z', true],
  [{ kind: 'number' }, '10', '11', false],
  [{ kind: 'date-time', zone: true }, '2026-01-31T14:30+01:00', '2026-01-31T14:30Z', false],
  [{ kind: 'email' }, 'a@example.com', 'b@example.com', false],
])('of %j, %s and %s are one answer of two people: %s', (typed, one, other, isSame) => {
  const questions = parseQuestions([{ question: 'When?', typed }])
  const given = (freeText: string) => ({ q1: { selected: [], freeText, source: 'human' as const } })
  expect(isSameVote(questions, given(one), given(other))).toBe(isSame)
})

it('an answer is by its author, and by each voter', () => {
  const votes = [{ answeredBy: 'Ada', timestamp, revision: 1 }]
  expect(isBy({ answeredBy: 'Ben', votes }, { answeredBy: 'ben' })).toBe(true)
  expect(isBy({ answeredBy: 'Ben', votes }, { answeredBy: 'ADA' })).toBe(true)
  expect(isBy({ answeredBy: 'Ben', votes }, { answeredBy: 'Eve' })).toBe(false)
  expect(isBy({ answeredBy: 'Ben' }, { answeredBy: 'Ada' })).toBe(false)
})

describe('the joint answer', () => {
  const questions = parseQuestions([{ question: 'A?' }, { question: 'B?' }])

  it('has each note once, in the order of the votes', () => {
    expect(
      jointResponses(questions, [
        { q1: picked('A', ' first ') },
        { q1: picked('A', 'first') },
        { q1: picked('A') },
        { q1: picked('A', 'second') },
      ]),
    ).toEqual({ q1: picked('A', 'first\nsecond') })
  })

  it('is the last one where there is only one note, or none', () => {
    const last = { q1: picked('A', ' as it is '), q2: picked('B') }
    expect(jointResponses(questions, [{ q1: picked('A', '  '), q2: picked('B') }, last])).toEqual(last)
    expect(jointResponses(questions, [])).toEqual({})
  })

  it('has no note for a question that the last person did not answer', () => {
    expect(jointResponses(questions, [{ q1: picked('A', 'a') }, { q1: picked('A', 'b') }, {}])).toEqual({})
  })
})

describe('what is stored of several people', () => {
  const votes = (input: unknown) => parseWith(votesSchema, input, 'INVALID_FILE', 'No votes')
  const drafts = (input: unknown) => parseWith(otherDraftsSchema, input, 'INVALID_FILE', 'No drafts')
  const vote = { answeredBy: 'Ada', timestamp, revision: 0 }
  const draft = { responses: {}, timestamp, revision: 0 }

  it('is read with all its parts', () => {
    const full = { ...vote, roles: ['lead'], responses: { q1: picked('A') } }
    expect(votes([full, vote])).toEqual([full, vote])
    const authored = { ...draft, answeredBy: 'Ada', browser: 'one', responses: { q1: picked('A') } }
    expect(drafts([authored, draft])).toEqual([authored, draft])
  })

  it.each([-1, 0.5, '1', undefined])('is refused with the revision %j', (revision) => {
    expect(() => votes([{ ...vote, revision }])).toThrow('0.revision')
    expect(() => drafts([{ ...draft, revision }])).toThrow('0.revision')
  })

  it.each([
    [{ timestamp: 'soon' }, 'timestamp'],
    [{ answeredBy: 5 }, 'answeredBy'],
    [{ responses: [] }, 'responses'],
  ])('is refused with %j', (change, fault) => {
    expect(() => votes([{ ...vote, ...change }])).toThrow(`0.${fault}`)
    expect(() => drafts([{ ...draft, ...change }])).toThrow(`0.${fault}`)
  })

  it('is at most 100 entries', () => {
    expect(votes(Array(100).fill(vote))).toHaveLength(100)
    expect(drafts(Array(100).fill(draft))).toHaveLength(100)
    expect(() => votes(Array(101).fill(vote))).toThrow('at most 100 entries')
    expect(() => drafts(Array(101).fill(draft))).toThrow('at most 100 entries')
  })
})

describe('isPresence', () => {
  const person = { id: 'a', isTyping: false }

  it('takes who is there, with a name or without', () => {
    expect(isPresence({ toolCallId: 'call_1', people: [] })).toBe(true)
    expect(isPresence({ toolCallId: 'call_1', people: [person, { ...person, name: 'Ada' }] })).toBe(true)
  })

  it.each([
    null,
    { people: [] },
    { toolCallId: 'call_1' },
    { toolCallId: 'call_1', people: {} },
    { toolCallId: 'call_1', people: [person, null] },
    { toolCallId: 'call_1', people: [person, { id: 5, isTyping: true }] },
    { toolCallId: 'call_1', people: [person, { id: 'b' }] },
  ])('refuses %j', (value) => {
    expect(isPresence(value)).toBe(false)
  })
})
