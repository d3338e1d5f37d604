import { describe, expect, it } from 'vitest'
import {
  AGENTRAIL_TOOL,
  formatAnswer,
  formatRequest,
  formatResult,
  parseAnswer,
  parseRequest,
} from '../../../src/dialects/agentrail/index.ts'
import { submitted } from '../pairs.ts'

const human = { source: 'human' } as const

describe('parseRequest', () => {
  it('reads a question with the defaults of the tool, and passes over what else an event holds', () => {
    expect(
      parseRequest({ type: 'waiting_for_user_input', toolCallId: 'c', question: 'Why?', hint: 'briefly' }),
    ).toEqual([{ id: 'q1', question: 'Why?', placeholder: 'briefly' }])
    expect(parseRequest({ question: 'Which?', options: ['A'], multiple: true, custom: false })).toEqual([
      { id: 'q1', question: 'Which?', options: [{ label: 'A' }], multiSelect: true, allowFreeText: false },
    ])
  })

  it('knows all that the tool offers to a model', () => {
    expect(Object.keys(AGENTRAIL_TOOL.inputSchema.properties ?? {})).toEqual([
      'question',
      'hint',
      'options',
      'multiple',
      'custom',
    ])
  })

  it('tells a checker of TypeBox what may be left out, and a model what counts then', () => {
    const { required, properties = {} } = AGENTRAIL_TOOL.inputSchema
    expect(required).toEqual(['question'])
    const optional = Object.entries(properties).filter(
      ([, schema]) => Symbol.for('TypeBox.Optional') in schema,
    )
    expect(optional.map(([name]) => name)).toEqual(['hint', 'options', 'multiple', 'custom'])
    expect([properties.multiple?.default, properties.custom?.default]).toEqual([false, true])
  })

  it.each([
    ['no question', {}, ['question']],
    ['an empty question', { question: '\n' }, ['question']],
    ['options that are no texts', { question: 'Q', options: [{ label: 'A' }] }, ['options.0']],
    ['an empty option', { question: 'Q', options: ['A', ' '] }, ['options.1']],
    ['flags that are none', { question: 'Q', multiple: 'yes', custom: 1 }, ['multiple', 'custom']],
    ['nothing to answer with', { question: 'Q', options: [], custom: false }, ['questions.0']],
  ])('refuses %s', (_, wrong, paths) => {
    expect(() => parseRequest(wrong)).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUESTIONS',
        faults: paths.map((path) => expect.objectContaining({ path })),
      }),
    )
  })
})

describe('formatRequest', () => {
  it('refuses more than one question, and none', () => {
    for (const count of [0, 2])
      expect(() => formatRequest(Array.from({ length: count }, () => ({ question: 'Q' })))).toThrow(
        expect.objectContaining({
          code: 'INVALID_QUESTIONS',
          faults: [{ path: 'questions', expected: 'one question' }],
        }),
      )
  })
})

describe('parseAnswer', () => {
  it('takes a label with spaces around it for that label, and for no other', () => {
    const asked = parseRequest({ question: 'Q', options: ['A', ' A', 'B '] })
    const answer = (text: string) => parseAnswer(asked, { kind: 'question', answer: text }).responses.q1
    expect(answer('A')).toEqual({ selected: ['A'], ...human })
    expect(answer(' A')).toEqual({ selected: [' A'], ...human })
    expect(answer('B ')).toEqual({ selected: ['B '], ...human })
    expect(answer('A ')).toEqual({ selected: ['A'], ...human })
    expect(answer(' C ')).toEqual({ selected: [], freeText: 'C', ...human })
  })
})

describe('an answer of a page', () => {
  const asked = parseRequest({ question: 'Q', options: ['A', ' B', 'C, D'], multiple: true })
  const picked = (...selected: string[]) => ({ q1: { selected, ...human } })

  it.each([
    [null],
    ['A'],
    [{}],
    [{ answer: 5 }],
    [{ answer: ' ' }],
    [{ kind: 'approval', answer: 'A' }],
    [{ kind: 5, answer: 'A' }],
  ])('is refused as %j', (input) => {
    expect(() => parseAnswer(asked, input)).toThrow(expect.objectContaining({ code: 'INVALID_ANSWERS' }))
  })

  it('needs no kind, and may name its question', () => {
    expect(parseAnswer(asked, { answer: 'A' })).toEqual({ status: 'completed', responses: picked('A') })
    expect(parseAnswer(asked, { kind: 'question', answer: 'A', toolCallId: 'c' }).responses).toEqual(
      picked('A'),
    )
  })

  it('picks the labels that its page trimmed or spread out', () => {
    const read = (answer: string) => parseAnswer(asked, { answer }).responses
    expect(read('A,  B')).toEqual(picked('A', ' B'))
    expect(read('B, A')).toEqual(picked(' B', 'A'))
    expect(read(' A ,  B ')).toEqual(picked('A', ' B'))
    expect(read('C, D')).toEqual(picked('C, D'))
    expect(read('A, C, D')).toEqual(picked('A', 'C, D'))
  })

  it('answers nothing where nothing was asked', () => {
    expect(parseAnswer([], { answer: 'A' })).toEqual({ status: 'completed', responses: {} })
  })
})

describe('formatResult', () => {
  it('writes several labels so that they read as no other one', () => {
    const asked = parseRequest({ question: 'Q', options: ['A', 'B', 'A, B', 'C, D'], multiple: true })
    const written = (...selected: string[]) => {
      const result = formatResult(submitted(asked, { q1: { selected, ...human } }))
      const { answer } = 'output' in result ? result.output : { answer: '' }
      expect(parseAnswer(asked, { answer }).responses).toEqual({ q1: { selected, ...human } })
      return answer
    }
    expect(written('A', 'B')).toBe('"A", "B"')
    expect(written('A, B')).toBe('A, B')
    expect(written('C, D')).toBe('C, D')
    expect(written('A', 'C, D')).toBe('A, "C, D"')
  })

  it('writes what was typed', () => {
    const asked = parseRequest({ question: 'Q', options: ['A'] })
    expect(formatResult(submitted(asked, { q1: { selected: [], freeText: 'mine', ...human } }))).toEqual({
      output: { question: 'Q', answer: 'mine' },
    })
  })

  it('knows answers only', () => {
    const asked = parseRequest({ question: 'Q', options: ['A', 'B'], multiple: true })
    const answered = submitted(asked, { q1: { selected: ['A', 'B'], ...human } })
    expect(formatResult(answered)).toEqual({ output: { question: 'Q', answer: 'A, B' } })
    expect(formatAnswer(answered)).toEqual({ kind: 'question', answer: 'A, B', toolCallId: 'call-1' })
    const declined = submitted(asked, {})
    expect(formatResult(declined)).toEqual({ errorText: expect.stringContaining('The user declined') })
    expect(formatAnswer(declined)).toBeNull()
  })
})
