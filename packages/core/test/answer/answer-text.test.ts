import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeAnswers,
  encodeAnswers,
  parseQuestions,
  questionTexts,
  type Responses,
  unknownAnswers,
} from '../../src/internal.ts'
import { answered, questions } from '../arbitraries.ts'

const multi = (...labels: string[]) =>
  parseQuestions([{ question: 'Which?', multiSelect: true, options: labels.map((label) => ({ label })) }])
const picks = (...selected: string[]): Responses => ({ q1: { selected, source: 'human' } })

describe('encodeAnswers', () => {
  it('gives back through decodeAnswers every label and every typed word, also after a trip through JSON', () => {
    fc.assert(
      fc.property(answered, ({ questions, responses }) => {
        const texts = JSON.parse(JSON.stringify(encodeAnswers(questions, responses)))
        expect(decodeAnswers(questions, texts)).toEqual(responses)
      }),
      { numRuns: 2000 },
    )
  })

  it('writes a single choice as its label, commas and quotes included', () => {
    const asked = parseQuestions([{ question: 'Ask again?', options: [{ label: 'Yes, "always"' }] }])
    expect(encodeAnswers(asked, picks('Yes, "always"'))).toEqual({ 'Ask again?': 'Yes, "always"' })
  })

  it('joins several labels and quotes those that hold a comma and a space, or a quote', () => {
    const asked = multi('Auth', 'Yes, always', 'a,b', 'Say "hi"')
    expect(encodeAnswers(asked, picks('Auth', 'Yes, always', 'a,b', 'Say "hi"'))).toEqual({
      'Which?': 'Auth, "Yes, always", a,b, "Say \\"hi\\""',
    })
  })

  it('leaves typed words as they are, with commas, alone and beside a label', () => {
    const answer = (freeText: string, ...selected: string[]): string | undefined =>
      encodeAnswers(multi('A', 'B'), { q1: { selected, freeText, source: 'human' } })['Which?']
    expect(answer('Rome, Oslo')).toBe('Rome, Oslo')
    expect(answer('plain', 'A')).toBe('A, plain')
    expect(answer('Say "x", twice', 'A', 'B')).toBe('A, B, Say "x", twice')
  })

  it('quotes typed words that would read as a label', () => {
    const asked = multi('A', 'B')
    const response: Responses = { q1: { selected: ['A'], freeText: 'not, B', source: 'human' } }
    expect(encodeAnswers(asked, response)).toEqual({ 'Which?': 'A, "not, B"' })
    expect(decodeAnswers(asked, { 'Which?': 'A, "not, B"' })).toEqual(response)
  })

  it('quotes typed words that would complete the label beside them to another one', () => {
    const asked = multi('Auth', 'Auth, later')
    const answer = (...selected: string[]): Responses => ({
      q1: { selected, freeText: 'later', source: 'human' },
    })
    expect(encodeAnswers(asked, answer('Auth'))).toEqual({ 'Which?': 'Auth, "later"' })
    expect(encodeAnswers(asked, answer())).toEqual({ 'Which?': 'later' })
  })

  it('writes labels, not values', () => {
    const asked = parseQuestions([{ question: 'Which?', options: [{ label: 'Blue', value: 'b' }] }])
    expect(encodeAnswers(asked, picks('b'))).toEqual({ 'Which?': 'Blue' })
    expect(decodeAnswers(asked, { 'Which?': 'Blue' })).toEqual(picks('b'))
  })

  it('leaves out skipped and empty answers', () => {
    const asked = parseQuestions([{ question: 'A?' }, { question: 'B?' }, { question: 'C?' }])
    const responses: Responses = {
      q1: { skipped: true },
      q2: { selected: [], freeText: '  ', source: 'human' },
    }
    expect(encodeAnswers(asked, responses)).toEqual({})
  })
})

describe('decodeAnswers', () => {
  it('understands an older writer that joined labels with commas unquoted', () => {
    expect(decodeAnswers(multi('Auth', 'Yes, always'), { 'Which?': 'Auth, Yes, always' })).toEqual(
      picks('Auth', 'Yes, always'),
    )
  })

  it('understands labels that mean something in a regular expression, and quotes that are no JSON', () => {
    expect(decodeAnswers(multi('C++', 'a.b, (c|d)', 'x'), { 'Which?': 'C++, a.b, (c|d)' })).toEqual(
      picks('C++', 'a.b, (c|d)'),
    )
    expect(decodeAnswers(multi('x'), { 'Which?': 'x, "a \\q", more' })).toEqual({
      q1: { selected: ['x'], freeText: '"a \\q", more', source: 'human' },
    })
  })

  it('finds a label with a comma beside typed words with quotation marks', () => {
    expect(decodeAnswers(multi('a, b', 'a'), { 'Which?': 'Say "x", a, b' })).toEqual({
      q1: { selected: ['a, b'], freeText: 'Say "x"', source: 'human' },
    })
  })

  it('trusts the quotes of a writer that quoted, and looks for no labels beside them', () => {
    const asked = multi('a, b', 'a', 'x "y"')
    expect(decodeAnswers(asked, { 'Which?': 'a, b, "x \\"y\\""' })).toEqual({
      q1: { selected: ['a', 'x "y"'], freeText: 'b', source: 'human' },
    })
    expect(decodeAnswers(asked, { 'Which?': 'a, b' })).toEqual(picks('a, b'))
  })

  it('looks for no labels in a text that is too long for that', () => {
    const [first, second] = ['x, y', 'z'.repeat(500)]
    const read = (times: number) =>
      decodeAnswers(multi(first, second), { 'Which?': Array(times).fill(first).join(', ') }).q1
    expect(read(1000)).toEqual({ selected: [first], source: 'human' })
    expect(read(6000)).toMatchObject({ selected: [], freeText: expect.stringContaining('x, y, x, y') })
  })

  it('takes the longest label that fits, and only whole ones', () => {
    const asked = multi('a', 'a, b', 'a, b, c', 'b')
    expect(decodeAnswers(asked, { 'Which?': 'a, b, c, b' })).toEqual(picks('a, b, c', 'b'))
    expect(decodeAnswers(asked, { 'Which?': 'a, bc' })).toEqual({
      q1: { selected: ['a'], freeText: 'bc', source: 'human' },
    })
  })

  it('names a choice once, though it stands there twice', () => {
    expect(decodeAnswers(multi('a', 'b'), { 'Which?': 'a, b, a' })).toEqual(picks('a', 'b'))
  })

  it('keeps unknown text verbatim as a typed answer', () => {
    expect(decodeAnswers(multi('Auth'), { 'Which?': 'something, else' })).toEqual({
      q1: { selected: [], freeText: 'something, else', source: 'human' },
    })
  })

  it('understands a single choice in double quotes', () => {
    const asked = parseQuestions([{ question: 'Which?', options: [{ label: 'Yes, always' }] }])
    expect(decodeAnswers(asked, { 'Which?': '"Yes, always"' })).toEqual(picks('Yes, always'))
  })

  it('takes empty text, missing keys and what is no text for no answer', () => {
    const asked = parseQuestions([{ question: 'A?' }, { question: 'B?' }, { question: 'C?' }])
    expect(decodeAnswers(asked, { 'A?': ' ', 'C?': 5 })).toEqual({})
  })
})

describe('questionTexts', () => {
  it('gives distinct keys to questions with the same text', () => {
    const asked = parseQuestions([
      { question: 'A' },
      { question: 'A' },
      { question: 'A (2)' },
      { question: 'A' },
    ])
    expect(questionTexts(asked)).toEqual(['A', 'A (3)', 'A (2)', 'A (4)'])
  })

  it('gives distinct keys to any questions', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        expect(new Set(questionTexts(asked)).size).toBe(asked.length)
      }),
    )
  })

  it('finds the keys that belong to no question', () => {
    expect(unknownAnswers(parseQuestions([{ question: 'A' }]), { A: 'x', B: 'y' })).toEqual(['B'])
  })
})
