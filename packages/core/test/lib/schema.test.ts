import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  type AskError,
  parseAnswerRequest,
  parseJson,
  parseQuestions,
  parseWith,
} from '../../src/internal.ts'
import { listOf } from '../../src/lib/schema.ts'

describe('parseWith', () => {
  it('tells a key that is missing from one that is not known', () => {
    const parse = (input: unknown) =>
      parseWith(v.strictObject({ say: v.string() }), input, 'INVALID_FILE', 'This is no step')
    expect(() => parse({})).toThrow('This is no step: say: expected a value')
    expect(() => parse({ say: '', shout: '' })).toThrow('This is no step: shout: expected no such key')
  })

  it('says in words what was expected', () => {
    const schema = v.object({
      text: v.string(),
      list: v.array(v.string()),
      object: v.object({}),
      flag: v.boolean(),
      short: v.pipe(v.string(), v.maxLength(1, 'one letter')),
    })
    const input = { text: 1, list: 1, object: 1, flag: 1, short: 'ab' }
    const { faults } = thrownBy(() => parseWith(schema, input, 'INVALID_FILE', 'This is no step'))
    expect(faults).toEqual([
      { path: 'text', expected: 'text' },
      { path: 'list', expected: 'a list' },
      { path: 'object', expected: 'an object' },
      { path: 'flag', expected: 'boolean' },
      { path: 'short', expected: 'one letter' },
    ])
  })

  it.each([
    [v.pipe(v.number(), v.integer()), 1.5, 'a whole number'],
    [v.pipe(v.number(), v.finite()), Number.POSITIVE_INFINITY, 'a number'],
    [v.pipe(v.number(), v.minValue(1)), 0, 'at least 1'],
    [v.pipe(v.number(), v.maxValue(9)), 10, 'at most 9'],
    [v.pipe(v.string(), v.nonEmpty()), '', 'text that is not empty'],
    [v.pipe(v.string(), v.maxLength(2)), 'abc', 'a length of at most 2'],
    [v.pipe(v.array(v.string()), v.minLength(1)), [], 'a length of at least 1'],
    [v.pipe(v.number(), v.integer('a count')), 1.5, 'a count'],
  ])('says in words what a check expected, and not what it got: %#', (schema, input, expected) => {
    const { faults } = thrownBy(() => parseWith<unknown>(schema, input, 'INVALID_FILE', 'This is no step'))
    expect(faults).toEqual([{ path: '', expected }])
  })
})

it('the mark of the byte order before JSON is none of it', () => {
  const read = (text: string): unknown => parseJson(text, 'INVALID_FILE', 'This is no file')
  expect(read('\uFEFF{"a":"\uFEFF"}')).toEqual({ a: '\uFEFF' })
  expect(() => read('\uFEFF\uFEFF{}')).toThrow('This is no file')
  expect(() => read('\uFEFF')).toThrow('This is no file')
})

describe('a list of many faults', () => {
  const parse = (schema: v.GenericSchema, input: unknown) => () =>
    parseWith(schema, input, 'INVALID_FILE', 'This is no list')

  it('is refused by its length before an entry is looked at', () => {
    let looks = 0
    const entry = v.custom(() => {
      looks += 1
      return false
    })
    expect(parse(listOf(entry, 10), Array(500_000).fill(0))).toThrow(
      'This is no list: expected at most 10 entries',
    )
    expect(looks).toBe(0)
  })

  it('is looked at until there are 50 faults, and says that there may be more', () => {
    let looks = 0
    const entry = v.custom(() => {
      looks += 1
      return false
    }, 'something else')
    expect(parse(listOf(entry, 1000), Array(1000).fill(0))).toThrow(
      'This is no list: 0: expected something else; 1: expected something else; 2: expected something else; and at least 47 more',
    )
    expect(looks).toBe(50)
  })

  it('ends in 50 faults for questions whose options all have some', () => {
    const question = { question: '', options: Array(500).fill({ label: 1, value: 1 }) }
    const error = thrownBy(() => parseQuestions(Array(50).fill(question)))
    expect(error.faults).toHaveLength(50)
  })

  it('is refused where it is a map of too many keys', () => {
    const answers = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]))
    expect(() => parseAnswerRequest({ toolCallId: 'call_1', answers })).toThrow(
      'answers: expected at most 1000 keys',
    )
  })
})

describe('a fault at a hostile key', () => {
  const key = `\u001b[2J\nsandagent: all is well\u3164${'\u009d'.repeat(100_000)}`
  const error = () => thrownBy(() => parseAnswerRequest({ toolCallId: 'call_1', answers: { [key]: 1 } }))

  it('is one printable line in the message', () => {
    expect(error().message).toMatch(
      /^This is no answer: answers\.[ -~…]*: expected text$|^This is no answer: answers\. sandagent: all is well/,
    )
    expect(error().message).not.toMatch(/[\p{Cc}\u3164]/u)
  })

  it('is cut', () => {
    expect(error().message.length).toBeLessThan(3000)
    expect(error().faults[0]?.path.length).toBeLessThanOrEqual(500)
  })
})

function thrownBy(work: () => unknown): AskError {
  try {
    work()
  } catch (error) {
    return error as AskError
  }
  throw new Error('It threw nothing')
}
