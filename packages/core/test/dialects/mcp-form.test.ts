import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRequest, formatResult, parseAnswer, parseRequest } from '../../src/dialects/mcp.ts'
import {
  type AskedQuestion,
  isAnswer,
  isRequired,
  type Outcome,
  parseQuestions,
  type Responses,
  responseTo,
  submittedKind,
  submittedResponses,
  unansweredIds,
} from '../../src/index.ts'
import { answered, questions as someQuestions } from '../arbitraries.ts'

const [colour, parts, name] = parseQuestions([
  {
    question: 'Which colour?',
    header: 'Colour',
    options: [{ label: 'Red', value: 'r', description: 'warm' }, { label: 'Blue' }],
    placeholder: 'Another one',
  },
  {
    question: 'Which parts?',
    options: [{ label: 'Roof' }, { label: 'Door' }],
    multiSelect: true,
    allowFreeText: false,
  },
  { question: 'Your name?', required: false },
]) as [AskedQuestion, AskedQuestion, AskedQuestion]
const all = [colour, parts, name]
const human = { source: 'human' } as const

describe('formatRequest', () => {
  it('writes a choice, several choices and a typed answer as fields', () => {
    expect(formatRequest(all)).toEqual({
      mode: 'form',
      message: 'There are 3 questions for you.',
      requestedSchema: {
        type: 'object',
        properties: {
          question_1: {
            type: 'string',
            title: 'Colour',
            description: 'Which colour?\n- Red: warm',
            oneOf: [
              { const: 'r', title: 'Red' },
              { const: 'Blue', title: 'Blue' },
            ],
          },
          question_1_custom: {
            type: 'string',
            title: 'Colour: in your own words',
            description: 'Another one',
          },
          question_2: {
            type: 'array',
            title: 'Which parts?',
            description: 'Which parts?',
            items: {
              anyOf: [
                { const: 'Roof', title: 'Roof' },
                { const: 'Door', title: 'Door' },
              ],
            },
            minItems: 1,
          },
          question_3: { type: 'string', title: 'Your name?', description: 'Your name?' },
        },
        required: ['question_2'],
      },
    })
  })

  it('puts the one question into the message', () => {
    expect(formatRequest([name]).message).toBe('Your name?')
  })
})

describe('parseAnswer', () => {
  const accept = (content: object) => parseAnswer(all, { action: 'accept', content })

  it('reads what was picked, what was typed, and what was passed over', () => {
    expect(accept({ question_1: 'r', question_2: ['Door'], question_3: 'Zoë' })).toEqual({
      status: 'completed',
      responses: {
        [colour.id]: { selected: ['r'], ...human },
        [parts.id]: { selected: ['Door'], ...human },
        [name.id]: { selected: [], freeText: 'Zoë', ...human },
      },
    })
    expect(accept({ question_2: ['Roof'] })).toMatchObject({
      responses: { [colour.id]: { skipped: true }, [parts.id]: { selected: ['Roof'] } },
    })
  })

  it('takes own words as the answer, or as a note beside a choice', () => {
    expect(accept({ question_1_custom: 'green', question_2: ['Roof'] })).toMatchObject({
      responses: { [colour.id]: { selected: [], freeText: 'green' } },
    })
    expect(accept({ question_1: 'Blue', question_1_custom: 'dark', question_2: ['Roof'] })).toMatchObject({
      responses: { [colour.id]: { selected: ['Blue'], notes: 'dark' } },
    })
  })

  it('counts the empty texts that some clients send as no answer', () => {
    const empty = { question_1: '', question_1_custom: ' ', question_2: ['Roof'], question_3: '' }
    expect(accept(empty)).toEqual(accept({ question_2: ['Roof'] }))
  })

  it('keeps decline and cancel apart', () => {
    expect(parseAnswer(all, { action: 'decline' })).toEqual({ status: 'cancelled' })
    expect(parseAnswer(all, { action: 'cancel' })).toBeNull()
  })

  it.each([
    [{ action: 'accept', content: { question_1: 'green', question_2: ['Roof'] } }, 'responses.q1.selected.0'],
    [{ action: 'accept', content: { question_2: ['Roof', 'Roof'] } }, 'responses.q2.selected'],
    [{ action: 'accept', content: { question_2: 3 } }, 'content.question_2'],
    [{ action: 'accept', content: 'Red' }, 'content'],
    [{ action: 'maybe' }, 'action'],
    ['accept', ''],
  ])('refuses %j and says where it is wrong', (result, path) => {
    expect(() => parseAnswer(all, result)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ANSWERS',
        faults: expect.arrayContaining([expect.objectContaining({ path })]),
      }),
    )
  })
})

describe('a form between two of ours', () => {
  it('keeps options, values, several choices and own words; texts gain the descriptions of options, defaults and previews are lost', () => {
    fc.assert(
      fc.property(someQuestions, (asked) => {
        const read = parseRequest(formatRequest(asked))
        const kept = ({ options, multiSelect = false, allowFreeText = true }: AskedQuestion) => ({
          options: options?.map(({ label, value = label }) => ({ label, value })),
          multiSelect: options !== undefined && multiSelect,
          allowFreeText,
        })
        expect(read.map(kept)).toEqual(asked.map(kept))
        for (const [index, { question }] of read.entries())
          expect(question).toContain(asked[index]?.question.trim())
      }),
    )
  })

  it('brings every answer back as it was given; a required question without one counts as skipped', () => {
    fc.assert(
      fc.property(answered, ({ questions, responses }) => {
        const params = formatRequest(questions)
        const shown = parseRequest(params)
        const given: Responses = Object.fromEntries(
          questions.flatMap((question, index) => {
            const response = responseTo(responses, question)
            return response ? [[shown[index]?.id, response]] : []
          }),
        )
        fc.pre(Object.keys(given).length > 0)
        const result = formatResult(params, outcomeWith(shown, given))
        const required = questions.filter(
          (question) => isRequired(question) && !isAnswer(responseTo(responses, question)),
        )
        if ('faults' in result) {
          expect(required.length).toBeGreaterThan(0)
          return
        }
        expect(parseAnswer(questions, result)).toEqual({
          status: 'completed',
          responses: {
            ...submittedResponses(questions, responses),
            ...Object.fromEntries(required.map(({ id }) => [id, { skipped: true }])),
          },
        })
      }),
    )
  })
})

const outcomeWith = (questions: AskedQuestion[], responses: Responses): Outcome => ({
  kind: submittedKind(questions, responses),
  toolCallId: 'call',
  questions,
  responses,
  unanswered: unansweredIds(questions, responses),
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})
