import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AskedQuestion,
  missingIn,
  parseQuestions,
  readQuestions,
  validateResponses,
} from '../../src/internal.ts'

const asked = (number: object): AskedQuestion[] => parseQuestions([{ question: 'How many?', number }])
const typed = (freeText: string) => ({ q1: { selected: [], freeText, source: 'human' as const } })
const faultsOf = (number: object, text: string, final = true) =>
  validateResponses(asked(number), typed(text), { final }).map(({ expected }) => expected)

describe('a question for a number', () => {
  it.each(['1', '10', ' 2.5 ', '1e1'])('takes %j within its bounds', (text) => {
    expect(faultsOf({ min: 1, max: 10 }, text)).toEqual([])
  })

  it.each(['0', '11', 'ten', '0x5', 'Infinity', '2,5', '1 2'])('refuses %j, and says what fits', (text) => {
    expect(faultsOf({ min: 1, max: 10 }, text)).toEqual(['a number, at least 1 and at most 10'])
  })

  it('may have one bound or none', () => {
    expect(faultsOf({ min: 0 }, '-1')).toEqual(['a number, at least 0'])
    expect(faultsOf({ max: 0 }, '1')).toEqual(['a number, at most 0'])
    expect(faultsOf({}, 'x')).toEqual(['a number'])
    expect(faultsOf({}, '-1000')).toEqual([])
  })

  it('takes any text while it is a draft', () => {
    expect(faultsOf({ min: 1 }, 'te', false)).toEqual([])
  })

  it('is not ready to be submitted with another text, even where it is optional', () => {
    const [question] = asked({ min: 1 }) as [AskedQuestion]
    const optional = [{ ...question, required: false }]
    expect(missingIn(optional, typed('ten'))).toEqual(optional)
    expect(missingIn(optional, typed('10'))).toEqual([])
  })

  it.each([
    ['options beside it', { question: 'Q', number: {}, options: [{ label: 'A' }] }],
    ['no typed answers', { question: 'Q', number: {}, allowFreeText: false }],
    ['a min above its max', { question: 'Q', number: { min: 2, max: 1 } }],
    ['bounds that are none', { question: 'Q', number: { min: '1' } }],
    ['endless bounds', { question: 'Q', number: { max: Number.POSITIVE_INFINITY } }],
  ])('is refused with %s', (_, question) => {
    expect(() => parseQuestions([question])).toThrow(expect.objectContaining({ code: 'INVALID_QUESTIONS' }))
  })

  it('is read by pages as it was parsed', () => {
    const bounds = fc.record(
      { min: fc.integer({ max: 0 }), max: fc.integer({ min: 0 }) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(bounds, (number) => {
        const questions = asked(number)
        expect(readQuestions({ questions })).toEqual(questions)
      }),
    )
  })
})
