import { join } from 'node:path'
import { picked, typed } from '@sandagent/fixtures/questions.ts'
import { root } from '../../../scripts/run.mjs'

/** MCP's server that asks for everything there is. */
export const everything = join(
  root,
  'test/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)
export const capabilities = { elicitation: { form: {}, url: {} } }

export interface ToolResult {
  content: { text: string }[]
}

export { picked, typed }

/** An answer to each of the fields that it asks for, by name. */
export const ANSWERS = {
  name: typed('Zoë Example'),
  check: picked('true'),
  firstLine: typed('It was a bright cold day.'),
  email: typed('zoe@example.com'),
  homepage: typed('https://example.com/~zoe'),
  birthdate: typed('1990-02-28'),
  integer: typed('7'),
  number: typed('2.75'),
  untitledSingleSelectEnum: picked('Joey'),
  untitledMultipleSelectEnum: picked('Piano', 'Drums'),
  titledSingleSelectEnum: picked('hero-2'),
  titledMultipleSelectEnum: picked('fish-3'),
  legacyTitledEnum: picked('pet-4'),
}

/** What it gets for them. */
export const VALUES = {
  name: 'Zoë Example',
  check: true,
  firstLine: 'It was a bright cold day.',
  email: 'zoe@example.com',
  homepage: 'https://example.com/~zoe',
  birthdate: '1990-02-28',
  integer: 7,
  number: 2.75,
  untitledSingleSelectEnum: 'Joey',
  untitledMultipleSelectEnum: ['Piano', 'Drums'],
  titledSingleSelectEnum: 'hero-2',
  titledMultipleSelectEnum: ['fish-3'],
  legacyTitledEnum: 'pet-4',
}

/** What it says that it got. */
export const rawResult = ({ content }: ToolResult): unknown =>
  JSON.parse(content.at(-1)?.text.replace(/^\s*Raw result: /, '') ?? '')
