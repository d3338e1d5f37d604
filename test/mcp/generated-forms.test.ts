import { ElicitRequestFormParamsSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { isSpecType } from '@modelcontextprotocol/server'
import { type AskedQuestion, type Outcome, parseQuestions, type QuestionResponse } from '@sandagent/core'
import { formatRequest, formatResult, parseAnswer, parseRequest } from '@sandagent/core/dialects/mcp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LimitedField, takesNothing } from '../support/takes-nothing.ts'

/** What both SDKs say of a form and of its result. */
const isForm = (params: unknown): boolean =>
  isSpecType.ElicitRequestFormParams(params) && ElicitRequestFormParamsSchema.safeParse(params).success
const isResult = (result: unknown): boolean =>
  isSpecType.ElicitResult(result) && ElicitResultSchema.safeParse(result).success

const word = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'Roof, tiled', 'null', '__proto__', '\u0000'))
const some = (least: number) => ({ minLength: least, maxLength: 5 })
const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
const option = fc.record({ const: word, title: word })
const words = { title: word, description: word }

/** Fields as the schemas of both SDKs have them; a choice without choices is the listed loss. */
const field = fc.oneof(
  fc.record(
    {
      type: fc.constant('string'),
      ...words,
      minLength: number,
      maxLength: number,
      format: fc.constantFrom('email', 'uri', 'date', 'date-time'),
      default: word,
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('number', 'integer'),
      ...words,
      minimum: number,
      maximum: number,
      default: number,
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constant('boolean'), ...words, default: fc.boolean() }, { requiredKeys: ['type'] }),
  fc.record(
    {
      type: fc.constant('string'),
      ...words,
      enum: fc.array(word, some(1)),
      enumNames: fc.array(word, some(0)),
      default: word,
    },
    { requiredKeys: ['type', 'enum'] },
  ),
  fc.record(
    { type: fc.constant('string'), ...words, oneOf: fc.array(option, some(1)), default: word },
    { requiredKeys: ['type', 'oneOf'] },
  ),
  fc.record(
    {
      type: fc.constant('array'),
      ...words,
      items: fc.oneof(
        fc.record({ type: fc.constant('string'), enum: fc.array(word, some(1)) }),
        fc.record({ anyOf: fc.array(option, some(1)) }),
      ),
      minItems: number,
      maxItems: number,
      default: fc.array(word, some(0)),
    },
    { requiredKeys: ['type', 'items'] },
  ),
)

const form = fc.record(
  {
    mode: fc.constant('form'),
    message: word,
    requestedSchema: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(word, field, { maxKeys: 5 }),
        required: fc.array(word, some(0)),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  },
  { requiredKeys: ['message', 'requestedSchema'] },
)

/** The questions of a form; `null` for one that is refused, because nothing fits a field of it. */
function questionsOf(params: {
  requestedSchema: { properties: Record<string, LimitedField> }
}): AskedQuestion[] | null {
  try {
    return parseRequest(params)
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_QUESTIONS' })
    expect(Object.values(params.requestedSchema.properties).some(takesNothing)).toBe(true)
    return null
  }
}

const outcomeOf = (questions: AskedQuestion[], responses: Outcome['responses']): Outcome => ({
  kind: 'answered',
  toolCallId: 't',
  questions,
  answers: {},
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 0,
})

/** What a person does with a question: the first option, or some words. */
const givenTo = ({ options: [first] = [] }: AskedQuestion): QuestionResponse =>
  first
    ? { selected: [first.value ?? first.label], source: 'human' }
    : { selected: [], freeText: '7', source: 'human' }

describe('each of 1,000 generated forms that both SDKs accept', () => {
  it('is asked, and its result fits the schemas of both, unless nothing fits a field of it', () => {
    fc.assert(
      fc.property(form, (generated) => {
        const params = JSON.parse(JSON.stringify(generated))
        fc.pre(isForm(params))
        const questions = questionsOf(params)
        if (questions === null) return
        const responses = Object.fromEntries(questions.map((question) => [question.id, givenTo(question)]))
        for (const given of [{}, responses]) {
          const result = formatResult(outcomeOf(questions, given), params)
          expect('faults' in result || isResult(result)).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

/** A text that somebody can read, which a question needs. */
const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== '')
const question = fc.record(
  {
    question: text,
    header: fc.string(),
    options: fc.uniqueArray(fc.record({ label: text, description: text }, { requiredKeys: ['label'] }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ label }) => label,
    }),
    multiSelect: fc.boolean(),
    required: fc.boolean(),
    placeholder: fc.string(),
  },
  { requiredKeys: ['question'] },
)

describe('each of 1,000 generated lists of questions', () => {
  it('becomes a form that both SDKs accept, and its answers come back as they were given', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(question, { minLength: 1, maxLength: 4, selector: (each) => each.question }),
        (generated) => {
          const questions = parseQuestions(generated)
          const params = formatRequest(questions)
          expect(isForm(params)).toBe(true)
          const back = parseRequest(params)
          const responses = Object.fromEntries(back.map((each) => [each.id, givenTo(each)]))
          const result = formatResult(outcomeOf(back, responses), params)
          expect(isResult(result)).toBe(true)
          expect(parseAnswer(questions, result)).toEqual({
            status: 'completed',
            responses: Object.fromEntries(questions.map((each) => [each.id, givenTo(each)])),
          })
        },
      ),
      { numRuns: 1000 },
    )
  })
})
