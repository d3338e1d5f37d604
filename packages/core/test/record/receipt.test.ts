import { describe, expect, it } from 'vitest'
import { type AnswerFile, isAccountedFor, type Responses, type SettledRecord } from '../../src/internal.ts'
import { openRecord } from '../records.ts'

const picked = (...selected: string[]) => ({ selected, source: 'human' as const })

const settled = (more: Partial<SettledRecord>): SettledRecord => ({
  ...openRecord({
    questions: [
      {
        id: 'q1',
        question: 'Which language?',
        options: [{ label: 'A' }, { label: 'B' }],
        defaultOption: 'A',
      },
      { id: 'q2', question: 'Anything else?', required: false },
    ],
  }),
  state: 'answered',
  settledAt: '2025-01-30T12:00:02.000Z',
  responses: { q1: picked('A') },
  ...more,
})

const answerFile = (responses: Responses, more: Partial<AnswerFile> = {}): AnswerFile => ({
  questions: [],
  answers: {},
  status: 'completed',
  timestamp: '2026-01-01T00:00:01.000Z',
  responses,
  ...more,
})

const typed = { selected: [], freeText: 'yes', source: 'human' as const }

describe('isAccountedFor', () => {
  it.each<[string, SettledRecord, AnswerFile | null]>([
    ['the answer that is stored', settled({}), answerFile({ q1: picked('A') })],
    ['who gave it', settled({ answeredBy: 'ada' }), answerFile({ q1: picked('A') }, { answeredBy: 'ada' })],
    [
      'a question passed over',
      settled({ state: 'partial', responses: { q1: { skipped: true }, q2: typed } }),
      answerFile({ q1: { skipped: true }, q2: typed }),
    ],
    [
      'a draft when the time ran out, with defaults',
      settled({ state: 'partial', responses: { q2: typed, q1: { selected: ['A'], source: 'default' } } }),
      answerFile({ q2: typed, q1: { selected: [], source: 'human' } }, { status: 'pending' }),
    ],
    [
      'a refusal',
      settled({ state: 'declined', responses: {}, reason: 'no' }),
      answerFile({}, { status: 'declined', reason: 'no' }),
    ],
    [
      'a refusal over what was entered before, as older writers store it',
      settled({ state: 'declined', responses: {} }),
      answerFile({ q1: picked('A') }, { status: 'declined' }),
    ],
    ['nobody in time', settled({ state: 'timed-out', responses: {} }), null],
    [
      'nobody in time, with an unfinished draft',
      settled({ state: 'timed-out', responses: {} }),
      answerFile({}, { status: 'pending' }),
    ],
    ['a withdrawal', settled({ state: 'aborted', responses: {} }), null],
  ])('accepts %s', (_, record, stored) => {
    expect(isAccountedFor(record, stored)).toBe(true)
  })

  it.each<[string, SettledRecord, AnswerFile | null]>([
    ['an answer that nobody stored', settled({}), null],
    ['another answer than the one that is stored', settled({}), answerFile({ q1: picked('B') })],
    ['an answer made of a draft', settled({}), answerFile({ q1: picked('A') }, { status: 'pending' })],
    ['an answer made of a refusal', settled({}), answerFile({}, { status: 'declined' })],
    ['an answer in the name of another', settled({ answeredBy: 'ada' }), answerFile({ q1: picked('A') })],
    [
      'an answer that says more',
      settled({ responses: { q1: picked('A'), q2: typed } }),
      answerFile({ q1: picked('A') }),
    ],
    [
      'an answer to a question that was not asked',
      settled({ responses: { q1: picked('A'), q9: typed } }),
      answerFile({ q1: picked('A') }),
    ],
    ['a refusal that nobody gave', settled({ state: 'declined', responses: {} }), null],
    [
      'a refusal made of a draft',
      settled({ state: 'declined', responses: {} }),
      answerFile({}, { status: 'pending' }),
    ],
    [
      'a refusal for another reason',
      settled({ state: 'declined', responses: {}, reason: 'yes' }),
      answerFile({}, { status: 'declined' }),
    ],
    ['a time-out that holds an answer', settled({ state: 'timed-out' }), answerFile({ q1: picked('A') })],
    ['a withdrawal that holds an answer', settled({ state: 'aborted' }), null],
  ])('notices %s', (_, record, stored) => {
    expect(isAccountedFor(record, stored)).toBe(false)
  })
})
