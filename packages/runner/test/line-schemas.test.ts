import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseQuestions } from '@sandagent/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseProgramLine, parseReplyLine } from '../src/agents/command/lines.ts'

interface Schema {
  type?: string
  const?: string
  enum?: string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
}

const root = join(import.meta.dirname, '../../..')

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })

function schemaOf(name: string) {
  const path = join(import.meta.dirname, `../schemas/${name}.json`)
  const schema: { oneOf: Schema[] } = JSON.parse(readFileSync(path, 'utf8'))
  return { kinds: schema.oneOf, takes: ajv.compile(schema) }
}

const printed = schemaOf('program-line')
const read = schemaOf('reply-line')

/** Whether the parsers take a message of a program: whoever asks parses the questions again. */
function isParsed(message: object): boolean {
  try {
    const line = parseProgramLine(JSON.stringify(message))
    if (line.type === 'ask') parseQuestions(line.questions)
    return true
  } catch {
    return false
  }
}

/** JSON objects with a `type` in the files of a folder, one on a line. */
const samplesIn = (folder: string, ending: RegExp): { file: string; line: string }[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .flatMap((name) => {
      const file = join(folder, name)
      const lines = readFileSync(join(root, file), 'utf8').split('\n')
      return lines
        .filter((line) => /^\{"type":"(say|ask|tool|answer|error)"/.test(line))
        .map((line) => ({ file, line }))
    })

const samples = samplesIn('docs', /\.md$/)

describe('the lines of a program in the documentation', () => {
  it('are there, of both directions', () => {
    const types = samples.map(({ line }) => JSON.parse(line).type)
    expect(types).toEqual(expect.arrayContaining(['ask', 'answer']))
  })

  it.each(samples)('fit their schema in $file: $line', ({ line }) => {
    const message = JSON.parse(line)
    const { takes } = /^(answer|error)$/.test(message.type) ? read : printed
    takes(message)
    expect(takes.errors ?? []).toEqual([])
  })
})

describe('docs/reference/lines.md', () => {
  const page = readFileSync(join(root, 'docs/reference/lines.md'), 'utf8')

  /** The rows of the table below a heading, by type and field. */
  function tableBelow(heading: string) {
    const [, section = ''] = page.split(`## ${heading}\n`)
    let type = ''
    const rows = Array.from(
      section.split('\n## ')[0]?.matchAll(/^\| *(?:`(\w+)`)? *\| `(\w+)` \| (.*) \|$/gm) ?? [],
    )
    return rows.map(([, first, field = '', rest = '']) => {
      type = first ?? type
      const [value = '', standard] = rest.split(' | ')
      return { type, field, value, standard }
    })
  }

  /** What a cell says of a value, as JSON Schema names it. */
  function typesIn(value: string): string[] {
    if (/^any JSON/.test(value)) return ['any']
    if (/^a list of/.test(value)) return ['array']
    if (/^an object/.test(value)) return ['object']
    if (/milliseconds/.test(value)) return ['number', 'never']
    if (/^`true` or `false`/.test(value)) return ['boolean']
    if (/^`true`:/.test(value)) return ['true']
    const words = Array.from(
      value.split('. ')[0]?.matchAll(/`"?([a-z-]+)"?`/g) ?? [],
      ([, word = '']) => word,
    )
    return /: `|gets at/.test(value) && words.length > 1 ? words : ['string']
  }

  /** The same of a schema. */
  function typesOf(schema: Schema): string[] {
    if (schema.anyOf) return schema.anyOf.flatMap(typesOf)
    return schema.enum ?? [schema.const ?? schema.type ?? 'any']
  }

  it.each([
    ['Lines that the program prints', printed.kinds],
    ['Lines that the program reads', read.kinds],
  ])('names each field with its type, below “%s”', (heading, kinds) => {
    const told = tableBelow(heading).map(({ type, field, value }) => [type, field, typesIn(value).sort()])
    const fields = kinds.flatMap(({ properties = {} }) =>
      Object.entries(properties)
        .filter(([field]) => field !== 'type')
        .map(([field, schema]) => [properties.type?.const, field, typesOf(schema).sort()]),
    )
    expect(new Set(told.map(String))).toEqual(new Set(fields.map(String)))
  })

  it('says which fields must be there', () => {
    const needed = tableBelow('Lines that the program prints')
      .filter(({ standard }) => standard === 'must be there')
      .map(({ type, field }) => `${type}.${field}`)
    const required = printed.kinds.flatMap(({ properties, required = [] }) =>
      required.filter((field) => field !== 'type').map((field) => `${properties?.type?.const}.${field}`),
    )
    expect(needed).toEqual(required)
  })
})

const text = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'a', '__proto__'))
const option = fc.record(
  { label: text, value: text, description: text, recommended: fc.boolean() },
  { requiredKeys: [] },
)
const question = fc.record(
  {
    question: text,
    id: fc.option(text),
    options: fc.option(fc.array(option, { maxLength: 3 })),
    multiSelect: fc.option(fc.boolean()),
    allowFreeText: fc.boolean(),
    number: fc.record({ min: fc.oneof(fc.double(), text) }),
    textFormat: fc.constantFrom('plain', 'markdown', 'html'),
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    type: fc.constantFrom('say', 'ask', 'withdraw', 'tool', 'shout'),
    text: fc.oneof(text, fc.integer()),
    id: fc.oneof(text, fc.integer()),
    questions: fc.oneof(fc.array(fc.oneof(question, text), { maxLength: 3 }), text),
    timeoutMs: fc.oneof(fc.constantFrom('never', 'soon', -1, 1e11), fc.nat()),
    timeoutPolicy: fc.constantFrom('partial', 'defaults', 'decline', 'ask'),
    wait: fc.boolean(),
    name: text,
    input: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    output: fc.jsonValue(),
    error: text,
  },
  { requiredKeys: ['type'] },
)

/** Messages with the fields of their type alone, so that many are right. */
const plausible = message.map((given) => {
  const kind = printed.kinds.find(({ properties }) => properties?.type?.const === given.type)
  return Object.fromEntries(Object.entries(given).filter(([key]) => !kind || key in (kind.properties ?? {})))
})

describe('the JSON Schema of the lines that a program prints', () => {
  it('takes every message that the parser takes, and refuses none of them', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.oneof(plausible, message), (given) => {
        const line = JSON.parse(JSON.stringify(given))
        if (!isParsed(line)) return
        taken += 1
        printed.takes(line)
        expect(printed.takes.errors ?? []).toEqual([])
      }),
      { numRuns: 1000 },
    )
    expect(taken).toBeGreaterThan(50)
  })

  it('refuses only what the parser refuses', () => {
    fc.assert(
      fc.property(plausible, (given) => {
        const line = JSON.parse(JSON.stringify(given))
        expect(printed.takes(line) || !isParsed(line)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    { type: 'shout' },
    { type: 'say' },
    { type: 'say', text: 'a', colour: 'red' },
    { type: 'ask', questions: [] },
    { type: 'ask', questions: ['Where to?'] },
    { type: 'ask', questions: [{ question: 'A?', options: ['a'] }] },
    { type: 'ask', questions: [{ question: 'A?' }], id: 7 },
    { type: 'ask', questions: [{ question: 'A?' }], timeoutMs: 'soon' },
    { type: 'ask', questions: [{ question: 'A?' }], timeoutPolicy: 'wait' },
    { type: 'tool', name: '' },
    { type: 'tool', name: 'Bash', input: [] },
  ])('refuses %j, as the parser does', (line) => {
    expect([printed.takes(line), isParsed(line)]).toEqual([false, false])
  })
})

describe('the JSON Schema of the lines that a program reads', () => {
  const answer = { type: 'answer', id: '1', kind: 'answered', answers: {}, responses: {}, text: '' }

  it.each([
    answer,
    { ...answer, answers: { q1: 'Staging', 'Which parts?': ['Tests'] } },
    { type: 'error', code: 'INVALID_QUESTIONS', message: 'No', faults: [{ path: '', expected: 'JSON' }] },
  ])('takes %j, as the parser does', (line) => {
    expect(read.takes(line)).toBe(true)
    expect(parseReplyLine(JSON.stringify(line))).toEqual(line)
  })

  it.each([
    { ...answer, kind: 'perhaps' },
    { ...answer, answers: { q1: 7 } },
    { ...answer, responses: { q1: 'Staging' } },
    { type: 'error', message: 'No' },
  ])('refuses %j, as the parser does', (line) => {
    expect(read.takes(line)).toBe(false)
    expect(() => parseReplyLine(JSON.stringify(line))).toThrow()
  })
})
