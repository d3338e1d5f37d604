import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { type ToolRecord, toolRecordSchema } from '../../src/tool/tool-record.ts'

const fresh: ToolRecord = {
  version: 1,
  invocation: parseInvocation({
    operation: 'write',
    arguments: { path: 'a' },
    id: 'i',
    call_id: 'c',
    callback_url: 'https://agent.example/callback',
    group_id: 'g',
  }),
  token: 't',
  begun: false,
}
const request = { prompt: 'May I?', choices: ['No', 'Always'], default: 0 }
const deadline = '2026-01-01T00:00:00.000Z'

it.each<[string, Partial<ToolRecord>]>([
  ['a new call', {}],
  ['a call that waits', { choice: { request, deadline } }],
  [
    'a selection that is remembered',
    { choice: { request: { ...request, remember: { choices: [1], scope: '/srv' } }, deadline, selected: 1 } },
  ],
  ['an ended call', { begun: true, result: 'Done', display: 'It was done', endedAt: deadline }],
])('the record of %s is read as it was written', (_, more) => {
  const record = { ...fresh, ...more }
  expect(v.parse(toolRecordSchema, JSON.parse(JSON.stringify(record)))).toEqual(record)
})

it.each<[string, object]>([
  ['of another version', { version: 2 }],
  ['without its secret', { token: undefined }],
  ['that does not tell whether its work was begun', { begun: undefined }],
  ['whose choice has no end', { choice: { request } }],
  ['whose choice has no texts', { choice: { request: { ...request, choices: [1] }, deadline } }],
  ['whose choice has no default', { choice: { request: { ...request, default: undefined }, deadline } }],
  ['whose selection is no index', { choice: { request, deadline, selected: '1' } }],
  ['whose result is no text', { result: 1 }],
])('a record %s is refused', (_, wrong) => {
  expect(v.safeParse(toolRecordSchema, { ...fresh, ...wrong }).success).toBe(false)
})
