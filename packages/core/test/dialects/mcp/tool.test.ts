import { describe, expect, it } from 'vitest'
import {
  foreignKeys,
  formatToolResult,
  MCP_TICKET_TOOLS,
  MCP_TOOL,
  parseToolCall,
} from '../../../src/dialects/mcp/index.ts'
import { describeOutcome, type OutcomeFacts, parseQuestions } from '../../../src/internal.ts'

const questions = parseQuestions([{ id: 'colour', question: 'Which colour?' }])
const facts = (kind: OutcomeFacts['kind']): OutcomeFacts => ({
  kind,
  questions,
  responses: {},
  unanswered: ['colour'],
})

describe('parseToolCall', () => {
  const { properties = {} } = MCP_TOOL.inputSchema.properties?.questions?.items ?? {}
  const given: Record<string, unknown> = {
    question: 'Which colour?',
    header: 'Colour',
    options: [{ label: 'Red', description: 'warm', preview: '#f00', recommended: true }],
    textFormat: 'plain',
    multiSelect: true,
    allowFreeText: false,
    files: { types: ['image/*'] },
    placeholder: 'Another',
    required: false,
    defaultOption: 'Red',
  }

  it('reads all that the tool offers to a model, and passes over what clients put beside it', () => {
    const typed = { question: 'How many?', typed: { kind: 'number', min: 1 } }
    expect([...Object.keys(given), 'secret', 'typed'].sort()).toEqual(Object.keys(properties).sort())
    expect(parseToolCall({ questions: [given, typed], explanation: 'I need it' })).toEqual([
      { id: 'q1', ...given },
      { id: 'q2', ...typed },
    ])
    const secret = { question: 'The token?', secret: true }
    expect(parseToolCall({ questions: [secret] })).toEqual([{ id: 'q1', ...secret, allowFreeText: false }])
  })

  it.each([
    ['a key that a question does not have', { ...given, multiselect: true }, 'questions.0.multiselect'],
    [
      'a key that an option does not have',
      { ...given, options: [{ label: 'Red', id: 1 }] },
      'questions.0.options.0.id',
    ],
    ['an empty question', { ...given, question: ' ' }, 'questions.0.question'],
    ['no question', 'Which colour?', 'questions.0'],
  ])('refuses %s', (_, question, path) => {
    expect(() => parseToolCall({ questions: [question] })).toThrow(
      expect.objectContaining({ code: 'INVALID_QUESTIONS', faults: [expect.objectContaining({ path })] }),
    )
  })

  it.each([
    [{ wait: false }, 'wait'],
    [{ block: false }, 'block'],
    [{ isBlocking: false }, 'isBlocking'],
    [{ blocking: 'false' }, 'blocking'],
  ])('refuses %j beside the questions where a model may go on: it would wait', (flags, path) => {
    const input = { questions: [given], explanation: 'I need it', wait_for_previous: true }
    const { ask } = MCP_TICKET_TOOLS
    expect(() => parseToolCall({ ...input, ...flags }, ask)).toThrow(
      expect.objectContaining({ code: 'INVALID_QUESTIONS', faults: [expect.objectContaining({ path })] }),
    )
    for (const blocking of [true, false, null, undefined])
      expect(parseToolCall({ ...input, blocking }, ask)).toHaveLength(1)
    expect(foreignKeys({ ...input, blocking: false }, ask)).toEqual(['explanation', 'wait_for_previous'])
  })

  it('refuses what is no list', () => {
    for (const input of [{}, { questions: '[{"question":"Why?"}]' }, { questions: {} }])
      expect(() => parseToolCall(input)).toThrow(expect.objectContaining({ code: 'INVALID_QUESTIONS' }))
  })
})

describe('formatToolResult', () => {
  it('gives the answer as text, and again beside it as data', () => {
    const responses = { colour: { selected: [], freeText: 'Red', source: 'human' as const } }
    const text = 'The user answered:\n- "Which colour?": in their own words "Red"'
    expect(formatToolResult({ kind: 'answered', questions, responses, unanswered: [] })).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: { kind: 'answered', text, answers: { 'Which colour?': 'Red' }, responses },
    })
  })

  it.each(['declined', 'timed-out', 'aborted'] as const)(
    'makes an error of %s, which says what to do',
    (kind) => {
      expect(formatToolResult(facts(kind))).toEqual({
        content: [{ type: 'text', text: describeOutcome(facts(kind)) }],
        structuredContent: {
          kind,
          text: describeOutcome(facts(kind)),
          answers: {},
          responses: {},
          unanswered: ['colour'],
        },
        isError: true,
      })
    },
  )
})
