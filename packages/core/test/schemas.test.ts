import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { responsesSchema } from '../src/answer/parse-responses.ts'
import { questionsSchema } from '../src/question/parse-questions.ts'
import { answerFileSchema } from '../src/record/answer-file/parse-answer-file.ts'
import { recordSchema } from '../src/record/question-record.ts'

const files = [
  {
    file: 'answer-file.json',
    title: 'The content of .sandagent/approvals/NAME.json',
    schema: answerFileSchema,
  },
  {
    file: 'question-record.json',
    title: 'The content of .sandagent/questions/NAME.json',
    schema: recordSchema,
    // Each state has them, and they are described once.
    definitions: { questions: questionsSchema, responses: responsesSchema },
  },
  {
    file: 'ask-user-question-input.json',
    title: 'The input of the tool AskUserQuestion',
    schema: v.object({ questions: questionsSchema }),
  },
]

type Schema = v.GenericSchema<unknown, unknown>
type JsonSchema = ReturnType<typeof toJsonSchema>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** Checks that are functions have no words in JSON Schema, and are left out. */
const convert = (schema: Schema, definitions: Record<string, Schema> = {}): JsonSchema =>
  toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    definitions,
    overrideAction: ({ jsonSchema }) => {
      const { items, additionalProperties } = jsonSchema
      if (isSchema(items)) jsonSchema.items = entryOf(items)
      if (isSchema(additionalProperties)) jsonSchema.additionalProperties = entryOf(additionalProperties)
      return jsonSchema
    },
  })

function entryOf(schema: Schema): JsonSchema {
  const { $schema: _, ...entry } = convert(schema)
  return entry
}

// A change that is meant: npx vitest run packages/core/test/schemas.test.ts --update
it.each(files)('schemas/$file says what the parser takes', async ({ file, title, schema, definitions }) => {
  const { $schema, ...shape } = convert(schema, definitions)
  const text = `${JSON.stringify({ $schema, title, ...shape }, null, 2)}\n`
  await expect(text).toMatchFileSnapshot(`../schemas/${file}`)
})
