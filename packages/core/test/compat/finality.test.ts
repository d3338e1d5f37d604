import { expect, it } from 'vitest'
import { type AnswerFile, mayBeFollowed, parseQuestions, statusOf } from '../../src/internal.ts'

const questions = parseQuestions([
  { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
  { question: 'Which size?', options: [{ label: 'S' }, { label: 'L' }], required: false },
])
const responses = { q1: { selected: ['Red'], source: 'human' as const } }

it.each([
  ['a complete set is provisional', undefined, responses, false, 'completed', true],
  [
    'a complete set is final where the person can answer only once',
    undefined,
    responses,
    true,
    'completed',
    false,
  ],
  ['a set with a gap is a draft', undefined, {}, false, 'pending', false],
  ['a given status counts', 'completed', responses, false, 'completed', false],
  ['a given draft stays a draft', 'pending', responses, false, 'pending', false],
] as const)('%s', (_, given, entered, isOnce, status, isProvisional) => {
  expect(statusOf(given, { questions, responses: entered, isOnce })).toEqual({ status, isProvisional })
})

it('a set without any answer is a draft, although no question asks for one', () => {
  const optional = questions.slice(1)
  expect(statusOf(undefined, { questions: optional, responses: {}, isOnce: false }).status).toBe('pending')
})

it.each<[Partial<AnswerFile>, boolean]>([
  [{ replaceable: true }, true],
  [{ replaceable: true, status: 'pending' }, true],
  [{}, false],
  [{ revision: undefined as never }, true],
  [{ revision: undefined as never, status: 'pending' }, false],
  [{ revision: undefined as never, status: 'declined' }, false],
])('another answer may follow one that says so, or has no revision: %j', (more, expected) => {
  expect(mayBeFollowed({ status: 'completed', revision: 1, ...more })).toBe(expected)
})
