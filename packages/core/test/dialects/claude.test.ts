import { describe, expect, it } from 'vitest'
import { claudeAnswerOf, parseClaudeQuestions } from '../../src/dialects/claude.ts'
import type { Outcome, OutcomeKind, Responses } from '../../src/index.ts'

const input = {
  questions: [
    {
      question: 'Which language?',
      header: 'Language',
      options: [
        { label: 'TypeScript', description: 'typed', preview: '# ts' },
        { label: 'Go', description: 'fast' },
      ],
      multiSelect: false,
    },
    {
      question: 'Which parts?',
      header: 'Parts',
      options: [
        { label: 'Yes, always', description: 'a', preview: '# always' },
        { label: 'Auth', description: 'b' },
      ],
      multiSelect: true,
    },
  ],
}

const outcome = (responses: Responses, kind: OutcomeKind = 'answered'): Outcome => ({
  kind,
  toolCallId: 'toolu_1',
  questions: parseClaudeQuestions(input),
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})
const human = { source: 'human' } as const

describe('parseClaudeQuestions', () => {
  it('reads the questions and leaves out what a model filled in beside them', () => {
    const asked = parseClaudeQuestions({
      questions: input.questions.map((question) => ({
        ...question,
        id: 'mine',
        required: false,
        allowFreeText: false,
        defaultOption: 'Go',
      })),
      answers: { 'Which language?': 'Go' },
      annotations: { 'Which language?': { notes: 'the user said so' } },
      metadata: { source: 'model' },
    })
    expect(asked).toEqual(input.questions.map((question, index) => ({ id: `q${index + 1}`, ...question })))
  })

  it('refuses what holds no questions', () => {
    for (const wrong of [null, 'Which?', {}, { questions: {} }, { questions: [] }, { questions: [null] }])
      expect(() => parseClaudeQuestions(wrong)).toThrow(
        expect.objectContaining({ code: 'INVALID_QUESTIONS' }),
      )
  })
})

describe('claudeAnswerOf', () => {
  const answerOf = (responses: Responses, takesUnanswered = true, kind?: OutcomeKind) =>
    claudeAnswerOf(input, outcome(responses, kind), { takesUnanswered })

  it('joins choices as the binary reads them, and gives the questions back untouched', () => {
    const answer = answerOf({
      q1: { selected: ['Go'], ...human },
      q2: { selected: ['Auth', 'Yes, always'], ...human },
    })
    expect(answer).toEqual({
      questions: input.questions,
      answers: { 'Which language?': 'Go', 'Which parts?': 'Auth, "Yes, always"' },
    })
    expect(answer.questions).toBe(input.questions)
  })

  it('adds the preview of a single choice, and what was noted beside it', () => {
    expect(
      answerOf({
        q1: { selected: ['TypeScript'], notes: 'strict, please', ...human },
        q2: { selected: ['Yes, always'], notes: '  ', ...human },
      }).annotations,
    ).toEqual({ 'Which language?': { preview: '# ts', notes: 'strict, please' } })
  })

  it('gives typed words as the answer', () => {
    expect(answerOf({ q1: { selected: [], freeText: 'Rust, or C', ...human } }).answers).toEqual({
      'Which language?': 'Rust, or C',
    })
  })

  it('names a skipped question in a note, and marks it where the session takes that', () => {
    const responses: Responses = { q1: { selected: ['Go'], ...human }, q2: { skipped: true } }
    const notes = expect.stringMatching(/^The user skipped this question\. Do not take this for a choice/)
    const { answers, annotations } = answerOf(responses, true, 'partial')
    expect(answers).toEqual({ 'Which language?': 'Go' })
    expect(annotations).toEqual({ 'Which parts?': { notes, unanswered: 'skipped' } })
    expect(answerOf(responses, false, 'partial').annotations).toEqual({ 'Which parts?': { notes } })
  })

  it('passes on why a question was skipped', () => {
    const responses: Responses = { q2: { skipped: true, notes: 'not mine to say' } }
    expect(answerOf(responses, false, 'partial').annotations?.['Which parts?']).toEqual({
      notes: 'not mine to say',
    })
  })

  it('tells a question that nobody answered in time from one that was skipped', () => {
    expect(answerOf({ q1: { selected: ['Go'], ...human } }, true, 'partial').annotations).toEqual({
      'Which parts?': { notes: expect.stringMatching(/^Nobody answered this question in time\./) },
    })
  })

  it('keeps a question whose text is a special key', () => {
    const hostile = { questions: [{ question: '__proto__', options: [{ label: 'A', preview: 'p' }] }] }
    const answer = claudeAnswerOf(
      hostile,
      { ...outcome({ q1: { selected: ['A'], ...human } }), questions: parseClaudeQuestions(hostile) },
      { takesUnanswered: true },
    )
    expect(JSON.stringify([answer.answers, answer.annotations])).toBe(
      '[{"__proto__":"A"},{"__proto__":{"preview":"p"}}]',
    )
  })
})
