import { type Responses, readQuestions } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { answersByText, isAnsweredWith } from '../src/is-selected.ts'

const questions = readQuestions({
  questions: [
    { question: 'Which language?', options: [{ label: 'TypeScript', value: 'ts' }, { label: 'Python' }] },
    {
      question: 'Which features?',
      multiSelect: true,
      options: [{ label: 'Tests' }, { label: 'Docs, long' }],
    },
    { question: '__proto__' },
    { question: 'Which language?', options: [{ label: 'Zig' }] },
  ],
})
const responses: Responses = {
  q1: { selected: ['ts'], freeText: 'typed before', source: 'human' },
  q2: { selected: ['Tests', 'Docs, long'], freeText: 'Logo', source: 'human' },
  q3: { selected: [], freeText: 'polluted', source: 'human' },
}

describe('answersByText', () => {
  it('gives labels by question text, lists for multiple choices, nothing for open questions', () => {
    const answers = answersByText(questions, responses)
    expect(Object.entries(answers)).toEqual([
      ['Which language?', 'TypeScript'],
      ['Which features?', ['Tests', 'Docs, long', 'Logo']],
      ['__proto__', 'polluted'],
    ])
    expect(answersByText(questions, {})).toEqual({})
  })
})

describe('isAnsweredWith', () => {
  const answered = (index: number, text: string): boolean => {
    const question = questions[index]
    return question !== undefined && isAnsweredWith(question, responses, text)
  }

  it('knows an option by label and by value, and a typed answer', () => {
    expect(answered(0, 'TypeScript')).toBe(true)
    expect(answered(0, 'ts')).toBe(true)
    expect(answered(0, 'Python')).toBe(false)
    expect(answered(0, 'typed before')).toBe(false)
    expect(answered(1, 'Docs, long')).toBe(true)
    expect(answered(1, 'Logo')).toBe(true)
    expect(answered(2, 'polluted')).toBe(true)
    expect(answered(3, 'Zig')).toBe(false)
  })
})
