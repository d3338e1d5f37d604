import schema from '@agentclientprotocol/sdk/schema/v1/schema.json' with { type: 'json' }
import { formatResult, parseRequest } from '@sandagent/core/dialects/mcp'
import { receiptsWritten } from '@sandagent/runner'
import { createElicitationHandler } from '@sandagent/runner/mcp-client'
import { submitAnswer } from '@sandagent/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asked, channelOf, tempSandbox } from '../support/mcp.ts'
import { type LimitedField, takesNothing } from '../support/takes-nothing.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(schema, 'acp')
const isRequest = ajv.getSchema('acp#/$defs/CreateElicitationRequest')
const isResponse = ajv.getSchema('acp#/$defs/CreateElicitationResponse')

const form = (properties: object, more: object = {}) => ({
  mode: 'form',
  sessionId: 's1',
  message: 'Which one?',
  requestedSchema: { type: 'object', properties, ...more },
})

/** The form in which the ACP adapter of Claude Code 0.49 writes a question of `AskUserQuestion`. */
const CLAUDE_FORM = form({
  question_0: {
    type: 'string',
    title: 'Layout',
    oneOf: [
      {
        const: 'Sidebar',
        title: 'Sidebar — Navigation on the left',
        _meta: {
          '_claude/askUserQuestionOption': {
            description: 'Navigation on the left',
            preview: '```\n| nav | main |\n```',
          },
        },
      },
      { const: 'Tabs', title: 'Tabs', _meta: { '_claude/askUserQuestionOption': { preview: '| a | b |' } } },
    ],
  },
  question_0_custom: { type: 'string', title: 'Other', description: 'Type your own answer.' },
})

describe('a form of ACP', () => {
  it('shows the descriptions and previews that the adapter of Claude Code sends beside its options', async () => {
    expect(isRequest?.(CLAUDE_FORM)).toBe(true)
    const sandbox = await tempSandbox()
    const result = createElicitationHandler({ channel: channelOf(sandbox) })({ params: CLAUDE_FORM })
    const { toolCallId, questions } = await asked(sandbox)
    expect(questions).toMatchObject([
      {
        options: [
          {
            label: 'Sidebar',
            description: 'Navigation on the left',
            preview: '```\n| nav | main |\n```',
          },
          { label: 'Tabs', preview: '| a | b |' },
        ],
      },
    ])
    const responses = { question_0: { selected: ['Sidebar'], source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId, status: 'completed', responses })
    expect(await result).toEqual({ action: 'accept', content: { question_0: 'Sidebar' } })
    expect(isResponse?.(await result)).toBe(true)
    await receiptsWritten()
  })

  it('shows the descriptions that options have in ACP itself', () => {
    const oneOf = [
      { const: 'a', title: 'A', description: 'The first' },
      { const: 'b', title: 'B', description: null },
    ]
    const lists = { one: { type: 'string', oneOf }, some: { type: 'array', items: { anyOf: oneOf } } }
    expect(isRequest?.(form(lists))).toBe(true)
    for (const { options } of parseRequest(form(lists)))
      expect(options).toEqual([
        { label: 'A', value: 'a', description: 'The first' },
        { label: 'B', value: 'b' },
      ])
  })

  it.each([
    { title: null, description: null, format: null, minLength: null, maxLength: null, default: null },
    { enum: null, oneOf: null, pattern: null },
    { _meta: null },
  ])('may have null in the place of what is absent: %j', (fields) => {
    const params = form({ name: { type: 'string', ...fields } }, { required: null, title: null })
    expect(isRequest?.(params)).toBe(true)
    expect(parseRequest(params)).toMatchObject([{ id: 'name', required: false }])
  })

  const absent = <T>(value: fc.Arbitrary<T>) => fc.option(value)
  const words = { title: absent(fc.string()), description: absent(fc.string()) }
  const option = fc.record(
    {
      const: fc.string(),
      title: fc.string(),
      description: absent(fc.string()),
      _meta: absent(
        fc.dictionary(
          fc.constantFrom('_claude/askUserQuestionOption', 'other'),
          fc.anything({ maxDepth: 2, withNullPrototype: false }),
        ),
      ),
    },
    { requiredKeys: ['const', 'title'] },
  )
  const options = fc.array(option, { minLength: 1, maxLength: 4 })
  const values = fc.array(fc.string(), { minLength: 1, maxLength: 4 })
  const size = absent(fc.nat({ max: 9 }))
  const limit = absent(fc.integer({ min: -9, max: 9 }))
  const field = fc.oneof(
    fc.record(
      {
        type: fc.constant('string'),
        ...words,
        minLength: size,
        maxLength: size,
        format: absent(fc.constantFrom('email', 'uri', 'date', 'date-time')),
        default: absent(fc.string()),
        enum: absent(values),
        oneOf: absent(options),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('number', 'integer'),
        ...words,
        minimum: limit,
        maximum: limit,
        default: limit,
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('boolean'), ...words, default: absent(fc.boolean()) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        ...words,
        items: fc.oneof(
          fc.record({ type: fc.constant('string'), enum: values }),
          fc.record({ anyOf: options }),
        ),
        minItems: size,
        maxItems: size,
        default: absent(values),
      },
      { requiredKeys: ['type', 'items'] },
    ),
  )

  it('that fits the schema of ACP is shown, and what comes back fits it too', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), field, { minKeys: 1, maxKeys: 4 }),
        (properties) => {
          const params = form(JSON.parse(JSON.stringify(properties)))
          fc.pre(isRequest?.(params) === true)
          fc.pre(
            !Object.values(params.requestedSchema.properties).some((each) =>
              takesNothing(each as LimitedField),
            ),
          )
          const questions = parseRequest(params)
          const outcome = {
            kind: 'answered' as const,
            toolCallId: 't',
            questions,
            answers: {},
            responses: {},
            unanswered: questions.map(({ id }) => id),
            settledAt: '2026-01-01T00:00:00.000Z',
            elapsedMs: 0,
          }
          const result = formatResult(outcome, params)
          expect(result).toMatchObject({ action: 'accept' })
          expect(isResponse?.(result)).toBe(true)
        },
      ),
    )
  })
})

describe('a form of another generator of schemas', () => {
  const read = (property: object) => parseRequest(form({ field: property }))[0]

  it.each([
    { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    { enum: ['a', 'b'], enumNames: ['A', 'b'] },
    { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    { anyOf: [{ enum: ['a', 'b'], enumNames: ['A', 'b'], type: 'string' }, { type: 'null' }], default: null },
    { type: ['string', 'null'], enum: ['a', 'b', null], enumNames: ['A', 'b'] },
  ])('may leave the type of a choice out, and allow null: %j', (property) => {
    expect(read(property)?.options).toEqual([
      { label: 'A', value: 'a' },
      { label: 'b', value: 'b' },
    ])
  })

  it.each([
    [{ anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] }, { kind: 'email' }],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, { kind: 'number', min: 1, step: 1 }],
    [{ type: ['number', 'null'] }, { kind: 'number' }],
  ])('may allow null beside one type: %j', (property, typed) => {
    expect(read(property)?.typed).toEqual(typed)
  })

  it.each([{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: ['string', 'integer'] }, {}])(
    'that allows two types is refused: %j',
    (property) => {
      expect(() => read(property)).toThrow(expect.objectContaining({ code: 'INVALID_QUESTIONS' }))
    },
  )
})
