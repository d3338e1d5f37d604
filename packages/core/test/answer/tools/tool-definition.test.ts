import { describe, expect, it } from 'vitest'
import { ASK_TOOL, ASK_TOOL_NAMES, parseQuestions, type ToolSchema } from '../../../src/internal.ts'

/** Texts that must fit something else. */
const TEXTS: Readonly<Record<string, string>> = { defaultOption: 'label', types: 'image/*' }

/** An input that uses all that a schema offers. */
function sampleOf({ type, properties = {}, items, enum: words }: ToolSchema, name = ''): unknown {
  if (words) return words[0]
  if (type === 'string') return TEXTS[name] ?? name
  if (type === 'boolean') return true
  if (type === 'array') return [sampleOf(items as ToolSchema, name)]
  // A secret has none of the others.
  const others = Object.entries(properties).filter(([key]) => key !== 'secret')
  return Object.fromEntries(others.map(([key, schema]) => [key, sampleOf(schema, key)]))
}

const schemas = ASK_TOOL.inputSchema.properties?.questions?.items as ToolSchema
const { typed, ...withOptions } = schemas.properties as { typed: ToolSchema } & Record<string, ToolSchema>
const choice: ToolSchema = { ...schemas, properties: withOptions }

describe('ASK_TOOL', () => {
  it('has a name by which pages know it', () => {
    expect(ASK_TOOL_NAMES).toContain(ASK_TOOL.name)
  })

  it('offers nothing that a question would lose', () => {
    const question = sampleOf(choice) as object
    expect(parseQuestions([question])).toEqual([{ id: 'q1', ...question }])
  })

  it.each([
    [{ kind: 'number', min: 1, max: 5, step: 1, unit: 'stars', show: 'rating' }],
    [{ kind: 'number', range: true }],
    [
      {
        kind: 'date-time',
        earliest: '2026-01-31T14:30',
        latest: '2026-01-31T14:30',
        zone: false,
        range: true,
      },
    ],
    [{ kind: 'date', earliest: '2026-01-31' }],
    [{ kind: 'time', latest: '14:30' }],
    [{ kind: 'email' }],
    [{ kind: 'uri' }],
  ])('offers a typed answer such as %j', (kind) => {
    for (const [key, value] of Object.entries(kind)) {
      const schema = typed.properties?.[key]
      expect(schema?.type, key).toBe(typeof value)
      if (schema?.enum) expect(schema.enum).toContain(value)
    }
    expect(parseQuestions([{ question: 'Q', typed: kind }])).toEqual([
      { id: 'q1', question: 'Q', typed: kind },
    ])
  })

  it('offers secrets, which stand alone', () => {
    const [secret] = parseQuestions([{ question: 'The token?', secret: true }])
    expect(secret).toMatchObject({ secret: true })
  })

  it('describes everything that a model may fill in', () => {
    const question = ASK_TOOL.inputSchema.properties?.questions?.items as ToolSchema
    const option = question.properties?.options?.items as ToolSchema
    for (const schema of [question, option, typed])
      for (const [name, { description }] of Object.entries(schema.properties ?? {}))
        expect(description, name).toMatch(/\.$/)
  })

  const question = ASK_TOOL.inputSchema.properties?.questions?.items as ToolSchema
  const option = question.properties?.options?.items as ToolSchema
  const sample = sampleOf(choice) as { options: [object] }
  const without = (from: object, key: string) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => name !== key))
  const isRefused = (input: unknown): boolean => {
    try {
      parseQuestions([input])
      return false
    } catch {
      return true
    }
  }

  it('requires what no question can be asked without, and nothing else', () => {
    const needed = (schema: ToolSchema, ask: (key: string) => unknown) =>
      Object.keys(schema.properties ?? {}).filter(
        (key) => key !== 'secret' && key !== 'typed' && isRefused(ask(key)),
      )
    // A default is one of the options, so it goes with them.
    const ofQuestion = needed(question, (key) =>
      without(key === 'options' ? without(sample, 'defaultOption') : sample, key),
    )
    expect(question.required).toEqual(ofQuestion)
    const ofOption = needed(option, (key) => ({
      ...without(sample, 'defaultOption'),
      options: [without(sample.options[0], key)],
    }))
    expect(option.required).toEqual(ofOption)
    expect(ASK_TOOL.inputSchema.required).toEqual(['questions'])
    expect(ASK_TOOL.inputSchema.properties?.questions?.minItems).toBe(1)
  })

  it('allows no key that would be lost', () => {
    for (const schema of [ASK_TOOL.inputSchema, question, option])
      expect(schema.additionalProperties).toBe(false)
  })

  it('offers the formats of texts that a question can have', () => {
    const words = question.properties?.textFormat?.enum ?? []
    expect(words.length).toBeGreaterThan(1)
    for (const textFormat of words) expect(isRefused({ ...sample, textFormat })).toBe(false)
    expect(isRefused({ ...sample, textFormat: 'html' })).toBe(true)
  })
})
