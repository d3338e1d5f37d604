import { jsonSchemaText } from '@sandagent/fixtures/json-schema.ts'
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

// A change that is meant: npx vitest run packages/core/test/schemas.test.ts --update
it.each(files)('schemas/$file says what the parser takes', async ({ file, title, schema, definitions }) => {
  await expect(jsonSchemaText(title, schema, definitions)).toMatchFileSnapshot(`../schemas/${file}`)
})
