import { describe, expect, it } from 'vitest'
import { formatToolResult } from '../../src/dialects/mcp.ts'
import { describeOutcome, type OutcomeFacts, parseQuestions } from '../../src/index.ts'

const questions = parseQuestions([{ id: 'colour', question: 'Which colour?' }])
const facts = (kind: OutcomeFacts['kind']): OutcomeFacts => ({
  kind,
  questions,
  responses: {},
  unanswered: ['colour'],
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
