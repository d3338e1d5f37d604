import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultyQuestions, formatResult, parseRequest } from '../../src/dialects/mcp/index.ts'
import {
  type AskedQuestion,
  type GivenResponse,
  type Outcome,
  type OutcomeKind,
  type Responses,
  validateResponses,
} from '../../src/internal.ts'

const form = (properties: object, required: string[] = [], message = 'Some facts, please') => ({
  message,
  requestedSchema: { type: 'object', properties, required },
})
const outcome = (responses: Responses, kind: OutcomeKind = 'answered'): Outcome => ({
  kind,
  toolCallId: 'call',
  questions: [],
  answers: {},
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})
const typed = (freeText: string): GivenResponse => ({ selected: [], freeText, source: 'human' })
const picked = (...selected: string[]): GivenResponse => ({ selected, source: 'human' })
const first = (params: unknown): AskedQuestion => parseRequest(params)[0] as AskedQuestion

describe('parseRequest', () => {
  it('asks for each field, in order, by its name, with the message and the asker before the first', () => {
    const params = form(
      { name: { type: 'string', title: 'Name', description: 'Your whole name' }, age: { type: 'integer' } },
      ['name'],
    )
    expect(parseRequest(params, { from: 'weather' })).toEqual([
      {
        id: 'name',
        header: 'Name',
        question: 'weather: Some facts, please\n\nYour whole name',
        required: true,
      },
      { id: 'age', question: 'age', typed: { kind: 'number', step: 1 }, required: false },
    ])
  })

  it.each([
    [{ type: 'string', format: 'uri', maxLength: 40 }, 'at most 40 characters'],
    [{ type: 'string', format: 'date', default: '2026-01-01' }, '2026-01-01 if you leave it out'],
    [{ type: 'string', minLength: 1, maxLength: 1 }, 'exactly 1 character'],
    [{ type: 'string', minLength: 1 }, 'at least 1 character'],
    [{ type: 'string', minLength: 1, maxLength: 2 }, '1 to 2 characters'],
    [{ type: 'string', maxLength: 1 }, 'at most 1 character'],
    [{ type: 'integer', minimum: 1, maximum: 100, default: 42 }, '42 if you leave it out'],
    [{ type: 'number', exclusiveMinimum: 0.5 }, 'above 0.5'],
    [{ type: 'integer', multipleOf: 0.5 }, 'in steps of 0.5'],
    [{ type: 'boolean', default: false }, 'No if you leave it out'],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 }, '1 to 2 of these'],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'Apple' }] }, default: ['a'] },
      'Apple if you leave it out',
    ],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'Apple' }], default: 'a' }, 'Apple if you leave it out'],
  ])('says what an answer to %j has to be', (field, hint) => {
    expect(first(form({ field })).question).toBe(`Some facts, please\n\nfield (${hint})`)
  })

  it.each([
    { type: 'string', format: 'email' },
    { type: 'number', minimum: 0.5 },
    { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 },
  ])('leaves out of the question what the field for %j says', (field) => {
    expect(first(form({ field })).question).toBe('Some facts, please\n\nfield')
  })

  it.each([
    [{ type: 'string', default: 'main' }, { defaultText: 'main' }],
    [{ type: 'string', format: 'date', default: '2026-02-28' }, { defaultText: '2026-02-28' }],
    [{ type: 'integer', minimum: 0, default: 0 }, { defaultText: '0' }],
    [{ type: 'number', default: 1e-7 }, { defaultText: '1e-7' }],
    [{ type: 'boolean', default: true }, { defaultOption: 'true' }],
    [{ type: 'string', enum: ['x', 'y'], default: 'x' }, { defaultOption: 'x' }],
    [{ type: 'array', items: { enum: ['x', 'y'] }, default: ['y'] }, { defaultOption: 'y' }],
    [{ type: 'array', items: { enum: ['x', 'y'] }, default: ['x', 'y'] }, {}],
    [{ type: 'array', items: { enum: ['x', 'y'] }, default: [] }, {}],
    [{ type: 'string', enum: ['x', 'y'], default: 'z' }, {}],
    [{ type: 'string', default: ' ' }, {}],
    [{ type: 'string', format: 'date', default: '2026-02-29' }, {}],
    [{ type: 'string', format: 'date-time', default: '2026-01-01T12:00' }, {}],
    [{ type: 'integer', minimum: 1, default: 0 }, {}],
  ])('has the default of %j as its own: %j', (field, expected) => {
    const { defaultText, defaultOption } = first(form({ field }))
    expect({ ...(defaultText && { defaultText }), ...(defaultOption && { defaultOption }) }).toEqual(expected)
  })

  it.each([
    ['enum', { type: 'string', enum: ['a', 'b'] }, ['a', 'b']],
    [
      'enum with names',
      { type: 'string', enum: ['a', 'b'], enumNames: ['Apple', 'Banana'] },
      ['Apple', 'Banana'],
    ],
    ['oneOf', { type: 'string', oneOf: [{ const: 'a', title: 'Apple' }, { const: 'b' }] }, ['Apple', 'b']],
    [
      'titles that are the same',
      { type: 'string', enum: ['a', 'b'], enumNames: ['Fruit', 'Fruit'] },
      ['Fruit', 'Fruit (b)'],
    ],
    ['a blank value', { type: 'string', enum: ['', 'b'] }, ['(empty)', 'b']],
    ['a blank name', { type: 'string', enum: [' a ', 'b'], enumNames: [' ', 'Banana'] }, ['a', 'Banana']],
    ['a value that is there twice', { type: 'string', enum: ['a', 'a', 'b'] }, ['a', 'b']],
  ])('offers the choices of %s', (_, field, labels) => {
    const { options, multiSelect, allowFreeText } = first(form({ field }))
    expect(options?.map(({ label }) => label)).toEqual(labels)
    expect({ multiSelect, allowFreeText }).toEqual({ multiSelect: undefined, allowFreeText: false })
  })

  it('asks for a boolean as yes or no, and nothing can be typed', () => {
    expect(first(form({ field: { type: 'boolean', default: false } }))).toMatchObject({
      options: [
        { label: 'Yes', value: 'true' },
        { label: 'No', value: 'false' },
      ],
      allowFreeText: false,
      defaultOption: 'false',
    })
  })

  it('takes a text field for the own words of a choice, and of no other field', () => {
    const choice = { type: 'string', enum: ['a', 'b'] }
    const words = { type: 'string' }
    const idsOf = (field: object, custom: object, required: string[] = []) =>
      parseRequest(form({ question_1: field, question_1_custom: custom }, required)).map(({ id }) => id)
    expect(idsOf(choice, words)).toEqual(['question_1'])
    expect(idsOf({ type: 'array', items: { enum: ['a', 'b'] } }, words)).toEqual(['question_1'])
    const both = ['question_1', 'question_1_custom']
    expect(idsOf(words, words)).toEqual(both)
    expect(idsOf(choice, { type: 'integer' })).toEqual(both)
    expect(idsOf(choice, words, ['question_1_custom'])).toEqual(both)
  })

  it('asks a form without fields as yes or no', () => {
    expect(parseRequest(form({}))).toMatchObject([
      {
        question: 'Some facts, please',
        options: [{ value: 'accept' }, { value: 'decline' }],
        allowFreeText: false,
      },
    ])
  })

  it('shows the whole address of a page and the site that it really is at', () => {
    const url = 'https://bank.example@evil.example/login?next=%2F'
    const { question, allowFreeText } = first({ mode: 'url', message: 'Sign in', url, elicitationId: '1' })
    expect(question).toContain(url)
    expect(question).toContain('This page is at evil.example.')
    expect(allowFreeText).toBe(false)
    const plain = { mode: 'url', message: 'Sign in', url: 'http://127.0.0.1:4000/login' }
    expect(first(plain).question).toContain('This page is at 127.0.0.1:4000.')
  })

  it.each([
    [form({ field: { type: 'object' } }), 'requestedSchema.properties.field.type'],
    [form({ field: { type: 'array', items: { type: 'number' } } }), 'requestedSchema.properties.field.items'],
    [form({ field: { type: 'string', enum: [] } }), 'requestedSchema.properties.field.enum'],
    [{ message: 'Hello' }, 'requestedSchema'],
    [{ mode: 'voice', message: 'Hello' }, 'mode'],
    [{ mode: 'url', message: 'Hello', url: 'javascript:alert(1)' }, 'url'],
    [{ mode: 'url', message: 'Hello', url: 'nowhere' }, 'url'],
    [null, ''],
  ])('refuses %j and says where it is wrong', (params, path) => {
    expect(() => parseRequest(params)).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUESTIONS',
        faults: expect.arrayContaining([expect.objectContaining({ path })]),
      }),
    )
  })
})

describe('formatResult', () => {
  const resultFor = (field: object, response: Responses[string]) =>
    formatResult(outcome({ field: response }), form({ field }))
  const accepted = (field: unknown) => ({ action: 'accept', content: { field } })

  it.each([
    [{ type: 'string' }, typed(' as it is '), ' as it is '],
    [{ type: 'string', format: 'email' }, typed(' zoe@example.com '), 'zoe@example.com'],
    [{ type: 'string', format: 'uri' }, typed('https://example.com/?a=b'), 'https://example.com/?a=b'],
    [{ type: 'string', format: 'date' }, typed('2024-02-29'), '2024-02-29'],
    [
      { type: 'string', format: 'date-time' },
      typed('2026-01-31T12:00:00+01:00'),
      '2026-01-31T12:00:00+01:00',
    ],
    [{ type: 'string', format: 'colour' }, typed('red'), 'red'],
    [{ type: 'string', maxLength: 2 }, typed('👩👩'), '👩👩'],
    [{ type: 'integer' }, typed('-7'), -7],
    [{ type: 'number' }, typed(' 2500 '), 2500],
    [{ type: 'boolean' }, picked('false'), false],
    [{ type: 'string', enum: ['a'] }, picked('a'), 'a'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, picked('b', 'a'), ['b', 'a']],
  ])('gives %j with %j the type that the schema wants', (field, response, value) => {
    expect(resultFor(field, response)).toEqual(accepted(value))
  })

  it.each([
    [{ type: 'string', format: 'email' }, typed('zoe'), 'an e-mail address'],
    [{ type: 'string', format: 'uri' }, typed('example.com'), 'an address such as https://example.com'],
    [{ type: 'string', format: 'date' }, typed('2026-02-30'), 'a date such as 2026-01-31'],
    [
      { type: 'string', format: 'date-time' },
      typed('2026-01-31 12:00'),
      'a date and time such as 2026-01-31T12:00:00Z',
    ],
    [{ type: 'string', minLength: 3 }, typed('ab'), 'at least 3 characters'],
    [{ type: 'integer' }, typed('1.5'), 'a whole number'],
    [{ type: 'integer' }, typed('12345678901234567890'), 'a whole number, with at most 15 digits'],
    [{ type: 'integer', maximum: 9 }, typed('12345678901234567890'), 'a whole number of at most 9'],
    [{ type: 'number' }, typed('many'), 'a number'],
    [{ type: 'number' }, typed('1e999'), 'a number'],
    [{ type: 'number', maximum: 10 }, typed('11'), 'a number of at most 10'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, picked('a', 'b'), 'at most 1 of these'],
  ])('finds that %j is not met by %j, and says so beside what was typed', (field, response, hint) => {
    const params = form({ field, other: { type: 'string' } })
    const result = formatResult(outcome({ field: response }), params)
    const expected = response.freeText === undefined ? hint : `${hint}, not "${response.freeText}"`
    expect(result).toEqual({ faults: [{ path: 'content.field', expected }] })
    if (!('faults' in result)) return
    expect(faultyQuestions(params, parseRequest(params), result.faults)).toMatchObject([
      { id: 'field', question: expect.stringMatching(new RegExp(`\\n\\nExpected: ${expected}$`)) },
    ])
  })

  it('leaves out what was left out, and takes the defaults of the schema in its place', () => {
    const params = form({
      a: { type: 'string' },
      b: { type: 'integer', default: 42 },
      c: { type: 'boolean', default: false },
      d: { type: 'array', items: { enum: ['x', 'y'] }, default: ['y'] },
      e: { type: 'string', enum: ['x', 'y'], default: 'x' },
    })
    const content = { b: 42, c: false, d: ['y'], e: 'x' }
    expect(formatResult(outcome({ a: { skipped: true } }, 'declined'), params)).toEqual({
      action: 'accept',
      content,
    })
    expect(formatResult(outcome({ a: typed('!') }), params)).toEqual({
      action: 'accept',
      content: { a: '!', ...content },
    })
  })

  it('asks again for a required field that was skipped', () => {
    const params = form({ a: { type: 'string' }, b: { type: 'string' } }, ['a'])
    expect(formatResult(outcome({ a: { skipped: true }, b: typed('!') }, 'partial'), params)).toEqual({
      faults: [{ path: 'content.a', expected: 'an answer' }],
    })
  })

  it.each([
    ['declined', 'decline'],
    ['timed-out', 'cancel'],
    ['aborted', 'cancel'],
  ] as const)('makes of %s: %s', (kind, action) => {
    expect(formatResult(outcome({}, kind), form({ a: { type: 'string' } }))).toEqual({ action })
  })

  it('accepts a page or a form without fields only when the person said yes', () => {
    const page = { mode: 'url', message: 'Sign in', url: 'https://example.com' }
    const id = first(page).id
    expect(formatResult(outcome({ [id]: picked('accept') }), page)).toEqual({ action: 'accept' })
    expect(formatResult(outcome({ [id]: picked('decline') }), page)).toEqual({ action: 'decline' })
    expect(formatResult(outcome({ q1: picked('accept') }), form({}))).toEqual({
      action: 'accept',
      content: {},
    })
    expect(formatResult(outcome({ q1: { skipped: true } }, 'declined'), form({}))).toEqual({
      action: 'decline',
    })
  })

  it('keeps names that are properties of every object', () => {
    const properties = JSON.parse('{"__proto__": {"type": "integer"}, "constructor": {"type": "string"}}')
    const responses = Object.fromEntries([
      ['__proto__', typed('1')],
      ['constructor', typed('x')],
    ])
    const result = formatResult(outcome(responses), form(properties))
    expect(JSON.stringify(result)).toBe('{"action":"accept","content":{"__proto__":1,"constructor":"x"}}')
  })

  it('gives every value that a schema takes back in its own type, as a person entered it', () => {
    const choice = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 })
    const field = fc.oneof(
      fc
        .string({ minLength: 1 })
        .filter((value) => value.trim() !== '')
        .map((value) => ({ schema: { type: 'string' }, response: typed(value), value })),
      fc.maxSafeInteger().map((value) => ({
        schema: { type: 'integer', minimum: value },
        response: typed(`${value}`),
        value: value + 0,
      })),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => ({
        schema: { type: 'number', maximum: value },
        response: typed(`${value}`),
        value: value + 0,
      })),
      fc.boolean().map((value) => ({ schema: { type: 'boolean' }, response: picked(`${value}`), value })),
      fc.tuple(choice, fc.nat()).map(([values, index]) => {
        const value = values[index % values.length] as string
        return { schema: { type: 'string', enum: values }, response: picked(value), value }
      }),
      choice.chain((values) =>
        fc.subarray(values, { minLength: 1 }).map((value) => ({
          schema: {
            type: 'array',
            items: { anyOf: values.map((each) => ({ const: each, title: 'The same' })) },
            maxItems: value.length,
          },
          response: picked(...value),
          value,
        })),
      ),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), field), (fields) => {
        fc.pre(Object.keys(fields).length > 0)
        const names = Object.keys(fields)
        const of = (key: 'schema' | 'value') =>
          Object.fromEntries(names.map((name) => [name, fields[name]?.[key]]))
        const params = form(of('schema') as object, names)
        const asked = parseRequest(params)
        const responses = Object.fromEntries(
          asked.map(({ id }, index) => [id, fields[names[index] as string]?.response as GivenResponse]),
        )
        expect(validateResponses(asked, responses, { final: true })).toEqual([])
        expect(formatResult(outcome(responses), params)).toEqual({ action: 'accept', content: of('value') })
      }),
    )
  })
})
