import { describe, expect, it } from 'vitest'
import {
  CLAUDE_TOOL,
  type ClaudeResultOptions,
  formatRequest,
  formatResult,
  parseAnswer,
  parseRequest,
} from '../../../src/dialects/claude/index.ts'
import type { Outcome, OutcomeKind, Responses } from '../../../src/internal.ts'

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
  questions: parseRequest(input),
  answers: {},
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})
const human = { source: 'human' } as const

const refused = (code: string, ...paths: string[]) =>
  expect.objectContaining({
    code,
    faults: paths.map((path) => expect.objectContaining({ path })),
  })

describe('CLAUDE_TOOL', () => {
  it('has the limits of the schema of Claude’s own', () => {
    expect(CLAUDE_TOOL.inputSchema).toMatchObject({ required: ['questions'], additionalProperties: false })
    const question = CLAUDE_TOOL.inputSchema.properties?.questions
    expect(question).toMatchObject({ minItems: 1, maxItems: 4 })
    expect(question?.items).toMatchObject({
      required: ['question', 'header', 'options', 'multiSelect'],
      additionalProperties: false,
      properties: {
        options: {
          minItems: 2,
          maxItems: 4,
          items: { required: ['label', 'description'], additionalProperties: false },
        },
        multiSelect: { default: false },
      },
    })
  })
})

describe('parseRequest', () => {
  it('reads the questions, and leaves out what a model filled in for the user', () => {
    const asked = parseRequest({
      ...input,
      answers: { 'Which language?': 'Go' },
      annotations: { 'Which language?': { notes: 'the user said so' } },
      metadata: { source: 'model' },
    })
    expect(asked).toEqual(input.questions.map((question, index) => ({ id: `q${index + 1}`, ...question })))
  })

  const [first, second] = input.questions as [(typeof input.questions)[0], (typeof input.questions)[0]]
  const option = { label: 'A', description: 'a' }
  it.each([
    ['no object', null, ['']],
    ['no questions', {}, ['questions']],
    ['an empty list', { questions: [] }, ['questions']],
    [
      'five questions',
      { questions: ['1', '2', '3', '4', '5'].map((question) => ({ ...first, question })) },
      ['questions'],
    ],
    ['one option', { questions: [{ ...first, options: [option] }] }, ['questions.0.options']],
    [
      'five options',
      {
        questions: [{ ...first, options: ['1', '2', '3', '4', '5'].map((label) => ({ ...option, label })) }],
      },
      ['questions.0.options'],
    ],
    [
      'unknown keys',
      { questions: [{ ...first, required: false }], more: 1 },
      ['questions.0.required', 'more'],
    ],
    [
      'missing keys',
      { questions: [{ ...first, header: undefined, options: [{}, option] }] },
      ['questions.0.header', 'questions.0.options.0.label'],
    ],
    ['empty texts', { questions: [{ ...first, question: ' ' }] }, ['questions.0.question']],
    ['the same question twice', { questions: [first, second, first] }, ['questions']],
    [
      'the same label twice',
      { questions: [{ ...first, options: [option, option] }] },
      ['questions.0', 'questions.0'],
    ],
  ])('refuses %s', (_, wrong, paths) => {
    expect(() => parseRequest(wrong)).toThrow(refused('INVALID_QUESTIONS', ...paths))
  })
})

describe('parseRequest, of the kinds that some sessions have', () => {
  const head = { question: 'How many?', header: 'Count' }
  const words = { question: 'How many?', header: 'Count', id: 'q1' }

  it('reads a question for words, with its placeholder or its help', () => {
    const text = { ...head, kind: 'text', description: 'In words' }
    expect(parseRequest({ questions: [text] })).toEqual([{ ...words, placeholder: 'In words' }])
    expect(
      parseRequest({ questions: [{ ...text, placeholder: 'ten', options: [], multiSelect: false }] }),
    ).toEqual([{ ...words, placeholder: 'ten' }])
  })

  it('reads a question for a number, with its bounds and its unit', () => {
    const number = { ...head, kind: 'number', min: 1, max: 10, step: 0.5, defaultValue: 2, unit: 'px' }
    expect(parseRequest({ title: 'Before I build', questions: [number] })).toEqual([
      { ...words, typed: { kind: 'number', min: 1, max: 10, step: 0.5, unit: 'px' } },
    ])
    expect(parseRequest({ questions: [{ ...number, description: 'In pixels' }] })).toMatchObject([
      { placeholder: 'In pixels' },
    ])
  })

  it('reads a choice that says its kind, and options without a description', () => {
    const options = [{ label: 'A' }, { label: 'B' }]
    expect(parseRequest({ questions: [{ ...head, kind: 'choice', options }] })).toEqual([
      { ...words, options, multiSelect: false },
    ])
  })

  it.each([
    ['an unknown kind', { ...head, kind: 'date' }, 'questions.0.kind'],
    [
      'options of a question for words',
      { ...head, kind: 'text', options: [{ label: 'A' }] },
      'questions.0.options',
    ],
    ['a number without bounds', { ...head, kind: 'number' }, 'questions.0.min'],
    ['bounds of nothing', { ...head, kind: 'number', min: 1, max: 1 }, 'questions.0'],
    ['bounds of a question for words', { ...head, kind: 'text', min: 1 }, 'questions.0.min'],
  ])('refuses %s', (_, question, path) => {
    expect(() => parseRequest({ questions: [question] })).toThrow(
      expect.objectContaining({ faults: expect.arrayContaining([expect.objectContaining({ path })]) }),
    )
  })
})

describe('formatRequest', () => {
  it('writes what parseRequest reads', () => {
    expect(formatRequest(parseRequest(input))).toEqual(input)
  })

  it('refuses what Claude cannot ask', () => {
    expect(() => formatRequest([{ question: 'Why?' }])).toThrow(
      refused('INVALID_QUESTIONS', 'questions.0.options'),
    )
  })
})

describe('parseAnswer', () => {
  const asked = parseRequest(input)
  it('reads answers by question text, with their notes', () => {
    expect(
      parseAnswer(asked, {
        answers: { 'Which language?': 'Rust', 'Which parts?': 'Auth, "Yes, always"' },
        annotations: { 'Which language?': { notes: 'no GC' }, 'Which parts?': { preview: '# always' } },
      }),
    ).toEqual({
      status: 'completed',
      responses: {
        q1: { selected: [], freeText: 'Rust', notes: 'no GC', ...human },
        q2: { selected: ['Auth', 'Yes, always'], ...human },
      },
    })
  })

  it('reads a reply in place of answers as a refusal with a reason', () => {
    expect(parseAnswer(asked, { answers: {}, response: 'Neither' })).toEqual({
      status: 'declined',
      reason: 'Neither',
    })
    expect(parseAnswer(asked, { answers: {} })).toEqual({ status: 'declined' })
  })

  it('reads a question that was marked as unanswered, or has a note alone, as skipped', () => {
    const annotations = { 'Which language?': { unanswered: 'dismissed' }, 'Which parts?': { notes: 'None' } }
    expect(parseAnswer(asked, { annotations })).toEqual({
      status: 'completed',
      responses: { q1: { skipped: true }, q2: { skipped: true, notes: 'None' } },
    })
  })

  it('refuses answers to other questions', () => {
    const wrong = { answers: { 'Who?': 'me' }, annotations: { 'When?': { notes: 'now' } } }
    expect(() => parseAnswer(asked, wrong)).toThrow(
      refused('INVALID_ANSWERS', 'answers.Who?', 'annotations.When?'),
    )
  })
})

describe('formatResult', () => {
  const resultOf = (given: Outcome, options: ClaudeResultOptions) => {
    const result = formatResult(given, options)
    if ('errorText' in result) throw new Error(result.errorText)
    return result.output
  }
  const answerOf = (responses: Responses, takesUnanswered = true, kind?: OutcomeKind) =>
    resultOf(outcome(responses, kind), { input, takesUnanswered })

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
    expect(resultOf(outcome(responses, 'partial'), { input }).annotations).toEqual({
      'Which parts?': { notes },
    })
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
    const options = ['A', 'B'].map((label) => ({ label, description: 'd', preview: 'p' }))
    const hostile = { questions: [{ question: '__proto__', header: 'h', options, multiSelect: false }] }
    const answer = resultOf(
      { ...outcome({ q1: { selected: ['A'], ...human } }), questions: parseRequest(hostile) },
      { input: hostile },
    )
    expect(JSON.stringify([answer.answers, answer.annotations])).toBe(
      '[{"__proto__":"A"},{"__proto__":{"preview":"p"}}]',
    )
  })

  it('gives a refusal as an error, or, where that is wanted, its reason as a reply in words', () => {
    const declined: Outcome = { ...outcome({}, 'declined'), reason: 'Ask my boss' }
    expect(formatResult(declined)).toEqual({
      errorText: expect.stringContaining('declined to answer, saying "Ask my boss"'),
    })
    expect(formatResult(declined, { input, respond: true })).toEqual({
      output: { questions: input.questions, answers: {}, response: 'Ask my boss' },
    })
  })

  it('gives a time-out as an error', () => {
    expect(formatResult(outcome({}, 'timed-out'))).toEqual({ errorText: expect.stringMatching(/^Nobody/) })
  })

  it('writes the questions itself where the input is not at hand', () => {
    const { questions } = resultOf(outcome({ q1: { selected: ['Go'], ...human } }), {})
    expect(questions).toEqual(input.questions)
  })
})
