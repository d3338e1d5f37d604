import { jsonSchemaText } from '@sandagent/fixtures/json-schema.ts'
import { expect, it } from 'vitest'
import { messageSchema, replySchema } from '../src/agents/command/lines.ts'

const files = [
  { file: 'program-line.json', title: 'A message that a program prints', schema: messageSchema },
  { file: 'reply-line.json', title: 'A line that a program reads', schema: replySchema },
]

// A change that is meant: npx vitest run packages/runner/test/schemas.test.ts --update
it.each(files)('schemas/$file says what the parser takes', async ({ file, title, schema }) => {
  await expect(jsonSchemaText(title, schema)).toMatchFileSnapshot(`../schemas/${file}`)
})
