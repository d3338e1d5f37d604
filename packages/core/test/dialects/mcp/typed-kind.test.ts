import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRequest, formatResult, parseAnswer, parseRequest } from '../../../src/dialects/mcp/index.ts'
import {
  type AskedQuestion,
  type NumberAnswer,
  parseQuestions,
  steppedText,
  typedFault,
} from '../../../src/internal.ts'

const form = (field: object) => ({
  mode: 'form',
  message: 'Some facts',
  requestedSchema: { type: 'object', properties: { field }, required: ['field'] },
})
const asked = (field: object) => parseRequest(form(field))[0] as AskedQuestion
/** `null` for a field that nothing fits. */
const askedIfPossible = (field: object): AskedQuestion | null => {
  try {
    return asked(field)
  } catch {
    return null
  }
}

describe('a field of a server', () => {
  it.each([
    [
      { type: 'integer', minimum: 1, maximum: 9 },
      { kind: 'number', min: 1, max: 9, step: 1 },
    ],
    [
      { type: 'integer', exclusiveMinimum: 0, maximum: 9.5 },
      { kind: 'number', min: 1, max: 9, step: 1 },
    ],
    [
      { type: 'number', minimum: 0.05, multipleOf: 0.1 },
      { kind: 'number', min: 0.1, step: 0.1 },
    ],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: 0 },
      { kind: 'number', min: 1 },
    ],
    [{ type: 'string', format: 'date' }, { kind: 'date' }],
    [
      { type: 'string', format: 'date-time' },
      { kind: 'date-time', zone: true },
    ],
    [{ type: 'string', format: 'email' }, { kind: 'email' }],
    [{ type: 'string', format: 'uri' }, { kind: 'uri' }],
    [{ type: 'string', format: 'toString' }, undefined],
  ])('%j is asked for as %j', (field, typed) => {
    expect(asked(field).typed).toEqual(typed)
  })

  it.each([
    { type: 'number', minimum: 2, maximum: 1 },
    { type: 'number', exclusiveMinimum: 1, maximum: 1 },
    { type: 'integer', minimum: 1.2, maximum: 1.8 },
    { type: 'integer', minimum: 5e-324, maximum: 5e-324 },
    { type: 'integer', minimum: 6, maximum: 9, multipleOf: 5 },
    { type: 'string', minLength: 3, maxLength: 2 },
    { type: 'string', maxLength: 0 },
    { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, maxItems: 1 },
    { type: 'array', items: { enum: ['a', 'a'] }, minItems: 2 },
  ])('that nothing fits is refused, and named: %j', (field) => {
    expect(() => asked(field)).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUESTIONS',
        faults: [expect.objectContaining({ path: 'requestedSchema.properties.field' })],
      }),
    )
  })

  it.each([
    { type: 'number', minimum: 1, maximum: 1 },
    { type: 'number', minimum: 0.3, maximum: 0.3, multipleOf: 0.1 },
    { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 },
    { type: 'string', minLength: 2, maxLength: 2 },
    { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, maxItems: 2 },
  ])('that only one answer fits is asked for: %j', (field) => {
    expect(asked(field).id).toBe('field')
  })

  it('takes every number that our field makes of it, up to its limits', () => {
    const limit = fc.option(fc.integer({ min: -1000, max: 1000 }), { nil: undefined })
    const schema = fc.record({
      type: fc.constantFrom('integer', 'number'),
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      multipleOf: fc.constantFrom(undefined, 1, 2, 5),
    })
    fc.assert(
      fc.property(
        schema,
        fc.array(fc.constantFrom<1 | -1>(1, -1), { minLength: 1, maxLength: 9 }),
        (field, keys) => {
          const question = askedIfPossible(field)
          if (question === null) return fc.pre(false)
          const typed = question.typed as NumberAnswer
          const text = keys.reduce((before, by) => steppedText(typed, before, by), '')
          expect(typedFault(question, text)).toBeNull()
          const responses = { field: { selected: [], freeText: text, source: 'human' as const } }
          const outcome = { kind: 'answered' as const, questions: [question], responses, unanswered: [] }
          const isLeftOut = field.exclusiveMinimum === Number(text)
          expect(formatResult(outcome as never, form(field))).toEqual(
            isLeftOut
              ? { faults: expect.anything() }
              : { action: 'accept', content: { field: Number(text) } },
          )
        },
      ),
    )
  })
})

describe('our questions', () => {
  it.each([
    [
      { kind: 'number', min: 1, max: 9, step: 1 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      { kind: 'number', min: 0, max: 5, show: 'rating' },
      { type: 'integer', minimum: 0, maximum: 5 },
    ],
    [
      { kind: 'number', unit: 'ms' },
      { type: 'number', description: 'What?\n(a number (ms))' },
    ],
    [{ kind: 'date' }, { type: 'string', format: 'date' }],
    [
      { kind: 'date-time', zone: true },
      { type: 'string', format: 'date-time' },
    ],
    [{ kind: 'date-time' }, { type: 'string', description: expect.stringContaining('2026-01-31T14:30)') }],
    [
      { kind: 'date', range: true },
      { type: 'string', description: expect.stringContaining('slash') },
    ],
    [{ kind: 'email' }, { type: 'string', format: 'email' }],
  ])('%j is the field %j', (typed, field) => {
    const { properties } = formatRequest(parseQuestions([{ question: 'What?', typed }])).requestedSchema
    expect(properties.question_1).toEqual({ title: 'What?', ...field })
  })

  it('take the number that a client sends', () => {
    const questions = parseQuestions([{ question: 'How many?', typed: { kind: 'number', max: 9 } }])
    expect(parseAnswer(questions, { action: 'accept', content: { question_1: 4.5 } })).toMatchObject({
      responses: { q1: { freeText: '4.5' } },
    })
    expect(() => parseAnswer(questions, { action: 'accept', content: { question_1: 10 } })).toThrow(
      'at most 9',
    )
  })
})
