import { describe, expect, it } from 'vitest'
import { ASK_TOOL, ASK_TOOL_NAMES, parseQuestions, type ToolSchema } from '../../src/internal.ts'

/** An input that uses all that a schema offers. */
function sampleOf({ type, properties = {}, items, enum: words }: ToolSchema, name = ''): unknown {
  if (words) return words[0]
  if (type === 'string') return name === 'defaultOption' ? 'label' : name
  if (type === 'boolean') return true
  if (type === 'array') return [sampleOf(items as ToolSchema)]
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, sampleOf(schema, key)]))
}

describe('ASK_TOOL', () => {
  it('has a name by which pages know it', () => {
    expect(ASK_TOOL_NAMES).toContain(ASK_TOOL.name)
  })

  it('offers nothing that a question would lose', () => {
    const input = sampleOf(ASK_TOOL.inputSchema) as { questions: object[] }
    expect(parseQuestions(input.questions)).toEqual([{ id: 'q1', ...input.questions[0] }])
  })

  it('describes everything that a model may fill in', () => {
    const question = ASK_TOOL.inputSchema.properties?.questions?.items as ToolSchema
    const option = question.properties?.options?.items as ToolSchema
    for (const schema of [question, option])
      for (const [name, { description }] of Object.entries(schema.properties ?? {}))
        expect(description, name).toMatch(/\.$/)
  })
})
