import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answersOf, answerTexts, parseQuestions, questionTexts, type Responses } from '../../src/internal.ts'
import { answered } from '../arbitraries.ts'

const typed = (freeText: string) => ({ selected: [], freeText, source: 'human' as const })
const picked = (...selected: string[]) => ({ selected, source: 'human' as const })

const said = (questions: unknown, responses: Responses) => answersOf(parseQuestions(questions), responses)

describe('answersOf', () => {
  it('has labels and typed words, by the id and by the text of their question', () => {
    const where = {
      id: 'where',
      question: 'Where to?',
      options: [{ label: 'Staging' }, { label: 'Production', value: 'prod' }],
    }
    expect(said([where], { where: picked('prod') })).toEqual({
      where: 'Production',
      'Where to?': 'Production',
    })
    expect(said([where], { where: typed('To Mars, "soon"') }).where).toBe('To Mars, "soon"')
  })

  it('has a list where several may be picked, also of one, with the typed words at its end', () => {
    const parts = { question: 'Parts?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'a, b' }] }
    expect(said([parts], { q1: picked('Tests') }).q1).toEqual(['Tests'])
    const all = { ...picked('Tests', 'a, b'), freeText: 'Types' }
    expect(said([parts], { q1: all })['Parts?']).toEqual(['Tests', 'a, b', 'Types'])
    expect(said([parts], { q1: picked() }).q1).toBeUndefined()
  })

  it('takes the label of a single choice, also if words stand beside it', () => {
    const where = { question: 'Where to?', options: [{ label: 'Staging' }] }
    expect(said([where], { q1: { ...picked('Staging'), freeText: 'or not' } }).q1).toBe('Staging')
  })

  it('has no answer to a question that was skipped, or got a note alone', () => {
    const questions = [{ question: 'A?' }, { question: 'B?' }]
    const answers = said(questions, { q1: { skipped: true }, q2: { ...picked(), notes: 'Hm' } })
    expect(answers).toEqual({})
    expect(JSON.stringify(answers)).toBe('{}')
  })

  it('has no answer of an object’s prototype', () => {
    const questions = [{ question: 'constructor' }, { id: '__proto__', question: 'toString' }]
    const none = said(questions, {})
    for (const name of ['constructor', '__proto__', 'toString']) expect(none[name]).toBeUndefined()
    const answers = said(questions, JSON.parse('{ "__proto__": { "selected": [], "freeText": "polluted" } }'))
    expect(new Map(Object.entries(answers))).toEqual(
      new Map([
        ['__proto__', 'polluted'],
        ['toString', 'polluted'],
        ['constructor', undefined],
        ['q1', undefined],
      ]),
    )
  })

  it('takes a name for an id before it takes it for a text', () => {
    const questions = [
      { id: 'a', question: 'b' },
      { id: 'b', question: 'a' },
    ]
    expect(said(questions, { a: typed('to a'), b: typed('to b') })).toEqual({ a: 'to a', b: 'to b' })
    const one = said(questions, { a: typed('to a') })
    expect(one.b).toBeUndefined()
    expect(JSON.parse(JSON.stringify(one))).toEqual({ a: 'to a' })
  })

  it('tells questions with the same text apart', () => {
    const questions = [{ question: 'Name?' }, { question: 'Name?' }]
    const answers = { q1: 'Ada', 'Name?': 'Ada', q2: 'Bob', 'Name? (2)': 'Bob' }
    expect(said(questions, { q1: typed('Ada'), q2: typed('Bob') })).toEqual(answers)
  })

  it('has the answer to every question by its id, and by every text that is no id', () => {
    fc.assert(
      fc.property(answered, ({ questions, responses }) => {
        const answers = answersOf(questions, responses)
        const ids = new Set(questions.map(({ id }) => id))
        const texts = questionTexts(questions)
        for (const [index, question] of questions.entries()) {
          const expected = answerTexts(question, responses)
          const names = [question.id, ...(ids.has(texts[index] as string) ? [] : [texts[index] as string])]
          for (const name of names) expect([answers[name] ?? []].flat()).toEqual(expected)
        }
      }),
    )
  })
})
