import { describe, expect, it } from 'vitest'
import { faultyQuestions, formatResult, parseRequest } from '../../../src/dialects/mcp/index.ts'
import type { Responses } from '../../../src/internal.ts'
import { submitted } from '../pairs.ts'

const paramsOf = (property: object, required = true) => ({
  mode: 'form',
  message: 'Please fill in',
  requestedSchema: {
    type: 'object',
    properties: { field: property },
    ...(required && { required: ['field'] }),
  },
})

/** What becomes of an answer to the one field. */
function given(property: object, response: object, required = true) {
  const params = paramsOf(property, required)
  const questions = parseRequest(params)
  const responses = { field: { selected: [], source: 'human', ...response } } as Responses
  const result = formatResult({ ...submitted(questions, responses), kind: 'answered', responses }, params)
  return 'faults' in result
    ? result.faults[0]?.expected
    : result.action === 'accept'
      ? result.content
      : result.action
}
const typed = (property: object, freeText: string) => given(property, { freeText })

describe('a text', () => {
  it.each([
    [{ minLength: 2, maxLength: 3 }, ['ab', 'abc', '😀😀😀'], ['a', 'abcd', '😀']],
    [{ format: 'email' }, ['a@b.c', ' ada@example.com '], ['a@b', 'a b@c.d', '@b.c', 'a@b..c', 'a@b.c.']],
    [{ format: 'uri' }, ['https://a.b', 'mailto:a', 'x+y.z-1:a'], ['a.b', '1a:b', 'http:a b', 'a:', 'a:<b>']],
    [
      { format: 'date' },
      ['2026-01-31', '2024-02-29'],
      ['2026-02-29', '2026-1-31', '2026-13-01', '2026-01-31T'],
    ],
    [
      { format: 'date-time' },
      ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5Z', '2026-01-31T10:00:00+02:00'],
      [
        '2026-01-31t10:00:00z',
        '2026-01-31',
        '2026-02-30T10:00:00Z',
        '2026-01-31T10:00:00',
        '2026-01-31T25:00:00Z',
      ],
    ],
    [{ format: 'other' }, ['anything'], []],
  ])('of %j is taken where it fits', (limits, fitting, others) => {
    const property = { type: 'string', ...limits }
    for (const text of fitting)
      expect(typed(property, text), text).toEqual({ field: 'format' in limits ? text.trim() : text })
    for (const text of others) expect(typed(property, text), text).toMatch(/, not "/)
  })

  it('of a date and time gets the seconds that a browser leaves out', () => {
    const property = { type: 'string', format: 'date-time' }
    expect(typed(property, '2026-01-31T10:00Z')).toEqual({ field: '2026-01-31T10:00:00Z' })
    expect(typed(property, '2026-01-31T10:00+02:00')).toEqual({ field: '2026-01-31T10:00:00+02:00' })
  })

  it('is kept as it was typed, and cut where a fault quotes it', () => {
    expect(typed({ type: 'string' }, ' x ')).toEqual({ field: ' x ' })
    expect(typed({ type: 'string', maxLength: 5 }, 'x'.repeat(60))).toMatch(/, not "x{60}"$/)
    expect(typed({ type: 'string', maxLength: 5 }, 'x'.repeat(61))).toMatch(/, not "x{60}…"$/)
  })
})

describe('a number', () => {
  it.each([
    [
      { type: 'number' },
      ['1', '-1.5', '0.50', '1e+21', ' 7 '],
      ['', '.5', '2.', '+0.5', '1e3', '07', 'x', '1,5', '0x10', 'Infinity', '1e999', '.'],
    ],
    [{ type: 'number', minimum: 1, maximum: 2 }, ['1', '1.5', '2'], ['0.9', '2.1']],
    [{ type: 'integer' }, ['0', '-5', ' 12 '], ['+5', '1e3', '1.5', 'x', '9007199254740993']],
    [{ type: 'integer', minimum: 1, maximum: 2 }, ['1', '2'], ['0', '3']],
    [{ type: 'integer', exclusiveMinimum: 0, multipleOf: 5, maximum: 12 }, ['5', '10'], ['0', '12', '15']],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, ['0.1', '0.9'], ['0', '1']],
    [{ type: 'number', minimum: 0.25, multipleOf: 0.1 }, ['0.3', '1.1'], ['0.2', '0.25', '0.35']],
  ])('of %j is taken where it fits', (property, fitting, others) => {
    for (const text of fitting) expect(typed(property, text), text).toEqual({ field: Number(text) })
    for (const text of others.filter((text) => text !== ''))
      expect(typed(property, text), text).toMatch(/, not "/)
  })

  it('with too many digits says so, unless something else is wrong with it', () => {
    const long = '9007199254740993'
    expect(typed({ type: 'integer' }, long)).toContain('with at most 15 digits')
    expect(typed({ type: 'integer', maximum: 5 }, long)).not.toContain('digits')
    expect(typed({ type: 'integer' }, '1.5')).not.toContain('digits')
    expect(typed({ type: 'integer' }, 'x')).not.toContain('digits')
  })
})

describe('a choice', () => {
  it('is yes or no', () => {
    expect(given({ type: 'boolean' }, { selected: ['true'] })).toEqual({ field: true })
    expect(given({ type: 'boolean' }, { selected: ['false'] })).toEqual({ field: false })
  })

  it('is one of several', () => {
    expect(given({ type: 'string', enum: ['a', 'b'] }, { selected: ['b'] })).toEqual({ field: 'b' })
  })

  it('of several has as many as the schema wants', () => {
    const property = {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'string', enum: ['a', 'b', 'c'] },
    }
    expect(given(property, { selected: ['a'] })).toEqual({ field: ['a'] })
    expect(given(property, { selected: ['a', 'c'] })).toEqual({ field: ['a', 'c'] })
    expect(given(property, { selected: ['a', 'b', 'c'] })).toEqual(expect.any(String))
    expect(given({ ...property, minItems: 2 }, { selected: ['a'] })).toEqual(expect.any(String))
  })
})

describe('a field that was left out', () => {
  const skipped = { skipped: true }
  const left = (property: object, required: boolean) => {
    const params = paramsOf(property, required)
    const questions = parseRequest(params)
    const responses = { field: skipped } as Responses
    return formatResult({ ...submitted(questions, responses), kind: 'partial', responses }, params)
  }

  it('has its default, is left out, or is asked for again', () => {
    expect(left({ type: 'string', default: 'd' }, true)).toEqual({
      action: 'accept',
      content: { field: 'd' },
    })
    expect(left({ type: 'boolean', default: false }, true)).toEqual({
      action: 'accept',
      content: { field: false },
    })
    expect(left({ type: 'string' }, false)).toEqual({ action: 'accept', content: {} })
    expect(left({ type: 'string' }, true)).toEqual({
      faults: [{ path: 'content.field', expected: 'an answer' }],
    })
    expect(left({ type: 'string', format: 'email' }, true)).toEqual({
      faults: [{ path: 'content.field', expected: expect.stringContaining('e-mail') }],
    })
  })
})

describe('the questions with faults', () => {
  it('say what was expected', () => {
    const params = paramsOf({ type: 'integer' })
    const questions = parseRequest(params)
    const faults = [{ path: 'content.field', expected: 'a whole number' }]
    expect(faultyQuestions(params, questions, faults)).toEqual([
      { ...questions[0], question: `${questions[0]?.question}\n\nExpected: a whole number` },
    ])
    expect(faultyQuestions(params, questions, [{ path: 'content.other', expected: 'x' }])).toEqual([])
    const page = { mode: 'url', message: 'Open', url: 'https://example.com', elicitationId: 'e' }
    expect(faultyQuestions(page, parseRequest(page), faults)).toEqual([])
  })
})
