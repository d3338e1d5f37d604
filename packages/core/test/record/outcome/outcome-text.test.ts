import { describe, expect, it } from 'vitest'
import { MAX_TYPED_CHARS } from '../../../src/question/limits.ts'
import { parseQuestions } from '../../../src/question/parse-questions.ts'
import { cutText } from '../../../src/record/outcome/outcome.ts'
import {
  describeOutcome,
  endingAccordingTo,
  type OutcomeFacts,
} from '../../../src/record/outcome/outcome-text.ts'

const questions = parseQuestions([
  { question: 'Which?', multiSelect: true, options: [{ label: 'Blue', value: 'b' }, { label: 'Red' }] },
  { question: 'Why?' },
])
const told = (facts: Partial<OutcomeFacts>) =>
  describeOutcome({ kind: 'answered', questions, responses: {}, unanswered: [], ...facts })

describe('the length of a wait', () => {
  it.each([
    [0, '0 ms'],
    [499.4, '499 ms'],
    [949, '949 ms'],
    [950, '1 s'],
    [1500, '1.5 s'],
    [3004, '3 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [10_499, '10 s'],
    [119_499, '119 s'],
    [120_000, '2 min'],
    [119.4 * 60_000, '119 min'],
    [120 * 60_000, '2 h'],
    [49 * 3_600_000, '49 h'],
  ])('of %d ms is told as %s', (elapsedMs, text) => {
    expect(told({ kind: 'timed-out', elapsedMs })).toBe(
      `Nobody answered within ${text}. This is not a decision of the user.`,
    )
  })
})

describe('what the model reads', () => {
  it('has labels, typed words and a note in one line for each question', () => {
    const responses = {
      q1: { selected: ['b', 'Red', 'gone'], freeText: 'or green', notes: 'dark', source: 'human' as const },
      q2: { selected: [], freeText: ' ', notes: 'no reason', source: 'human' as const },
    }
    expect(told({ responses })).toBe(
      'The user answered:\n- "Which?": "Blue", "Red", "gone", in their own words "or green" (note: "dark")',
    )
  })

  it('has no note where there is only space, and none beside a default', () => {
    const note = (notes: string, source: 'human' | 'default') =>
      told({ responses: { q1: { selected: ['b'], notes, source } } }).split('\n')[1]
    expect(note(' ', 'human')).toBe('- "Which?": "Blue"')
    expect(note('dark', 'default')).toBe('- "Which?": "Blue" — your own default, nobody chose it')
  })

  it('names the open questions, unless the person declined or the agent stopped asking', () => {
    const unanswered = ['q1', 'q2']
    expect(told({ kind: 'partial', unanswered })).toMatch(
      /^The user answered only some.*\nNot answered: "Which\?", "Why\?"\./,
    )
    expect(told({ kind: 'timed-out', unanswered: ['q2'] })).toMatch(/\nNot answered: "Why\?"\./)
    expect(told({ kind: 'declined', unanswered })).not.toContain('Not answered')
    expect(told({ kind: 'aborted', unanswered })).toBe('The question was withdrawn before it was answered.')
  })

  it('has the reason of a refusal', () => {
    expect(told({ kind: 'declined' })).toMatch(/^The user declined to answer\. Do not ask the same again/)
    expect(told({ kind: 'declined', reason: 'a "no"' })).toMatch(
      /^The user declined to answer, saying "a \\"no\\""\. Do not/,
    )
  })

  it.each(['declined', 'timed-out', 'aborted'] as const)('tells a page afterwards that it was %s', (kind) => {
    expect(endingAccordingTo(told({ kind }))).toBe(kind)
    expect(endingAccordingTo(`It says: ${told({ kind })}`)).toBeNull()
  })

  it('tells a page of no ending where there was an answer', () => {
    expect(endingAccordingTo(told({ kind: 'answered' }))).toBeNull()
    expect(endingAccordingTo('')).toBeNull()
  })
})

describe('cutText', () => {
  it('leaves a text that is not too long', () => {
    const longest = 'x'.repeat(MAX_TYPED_CHARS)
    expect(cutText(longest)).toBe(longest)
  })

  it('cuts a longer one to the limit, and says how long it was', () => {
    const cut = cutText('x'.repeat(MAX_TYPED_CHARS + 1))
    expect(cut).toHaveLength(MAX_TYPED_CHARS)
    expect(cut).toMatch(/^x+ … \(cut here: of 32001 characters, a model reads 32000\)$/)
  })
})
