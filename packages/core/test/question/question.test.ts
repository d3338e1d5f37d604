import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AskError, parseQuestions, QUESTION_LIMITS, sameQuestions } from '../../src/internal.ts'
import { questions } from '../arbitraries.ts'

const faultsOf = (input: unknown) => {
  try {
    parseQuestions(input)
  } catch (error) {
    if (error instanceof AskError && error.code === 'INVALID_QUESTIONS') return error.faults
    throw error
  }
  throw new Error('expected a refusal')
}

describe('parseQuestions', () => {
  it('reads the questions of the SandAgent document and numbers them', () => {
    const input = [
      {
        question: 'Which language?',
        header: 'Language',
        options: [{ label: 'TypeScript' }, { label: 'Python', description: 'd' }],
      },
      { question: 'Why?' },
    ]
    expect(parseQuestions(input)).toEqual([
      { ...input[0], id: 'q1' },
      { ...input[1], id: 'q2' },
    ])
  })

  it('keeps given ids and numbers around them', () => {
    const ids = parseQuestions([
      { question: 'A' },
      { id: 'q1', question: 'B' },
      { id: 'x', question: 'C' },
    ]).map(({ id }) => id)
    expect(ids).toEqual(['q1_', 'q1', 'x'])
  })

  it('is the same after a trip through JSON', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        expect(parseQuestions(JSON.parse(JSON.stringify(asked)))).toEqual(asked)
      }),
    )
  })

  it('takes null for absent and leaves unknown keys out', () => {
    expect(parseQuestions([{ question: 'A', header: null, options: null, extra: 1 }])).toEqual([
      { id: 'q1', question: 'A' },
    ])
  })

  it('names every fault with its path, not only the first', () => {
    expect(
      faultsOf([
        { question: ' ', options: [{ label: '' }, { label: 7 }] },
        'no',
        { question: 'ok', multiSelect: 'yes' },
      ]),
    ).toEqual([
      { path: 'questions.0.question', expected: 'text that is not empty' },
      { path: 'questions.0.options.0.label', expected: 'text that is not empty' },
      { path: 'questions.0.options.1.label', expected: 'text' },
      { path: 'questions.1', expected: 'an object' },
      { path: 'questions.2.multiSelect', expected: 'boolean' },
    ])
  })

  it.each([
    ['nothing', undefined, 'a list'],
    ['an empty list', [], 'at least one question'],
    [
      'two options with one label',
      [{ question: 'A', options: [{ label: 'x' }, { label: 'x', value: 'y' }] }],
      'options with distinct labels',
    ],
    [
      'two options with one value',
      [{ question: 'A', options: [{ label: 'x' }, { label: 'y', value: 'x' }] }],
      'options with distinct values',
    ],
    [
      'no way to answer',
      [{ question: 'A', allowFreeText: false }],
      'options or files, because typed answers are not allowed',
    ],
    [
      'a default that is no option',
      [{ question: 'A', options: [{ label: 'x' }], defaultOption: 'y' }],
      'the value of one of the options',
    ],
    [
      'two questions with one id',
      [
        { id: 'a', question: 'A' },
        { id: 'a', question: 'B' },
      ],
      'questions with distinct ids',
    ],
    [
      'too many questions',
      Array.from({ length: QUESTION_LIMITS.questions + 1 }, () => ({ question: 'A' })),
      'at most 50 questions',
    ],
    [
      'too much text',
      [{ question: 'A'.repeat(QUESTION_LIMITS.totalChars) }],
      'questions of at most 131072 characters together',
    ],
  ])('refuses %s', (_, input, expected) => {
    expect(faultsOf(input).map((fault) => fault.expected)).toContain(expected)
  })

  it('never answers anything but questions or a typed error', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        try {
          parseQuestions(input)
        } catch (error) {
          expect(error).toBeInstanceOf(AskError)
        }
      }),
    )
  })
})

describe('sameQuestions', () => {
  it('compares by content, whatever the order of keys', () => {
    const [a, b] = [parseQuestions([{ id: 'q1', question: 'A' }]), parseQuestions([{ question: 'A' }])]
    expect(sameQuestions(a, b)).toBe(true)
    expect(sameQuestions(a, parseQuestions([{ question: 'B' }]))).toBe(false)
  })
})
