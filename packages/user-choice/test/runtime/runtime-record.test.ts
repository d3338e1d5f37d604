import { parseInvocation, parseUserChoice } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  isAbout,
  type RuntimeRecord,
  runtimeRecordSchema,
  withoutChoice,
} from '../../src/runtime/runtime-record.ts'

const invocation = { group_id: 'g', id: 'i', call_id: 'c' } as RuntimeRecord['invocation']

it.each([
  [{ group_id: 'g', id: 'i', call_id: 'c' }, true],
  [{ group_id: 'g' }, true],
  [{ group_id: 'g', id: 'i', call_id: null }, true],
  [{ id: 'i', call_id: 'c' }, false],
  [{ group_id: 'h', id: 'i' }, false],
  [{ group_id: 'g', id: 'j' }, false],
  [{ group_id: 'g', call_id: 'd' }, false],
])('a message is about a call whose names it does not contradict: %j', (message, expected) => {
  expect(isAbout(message, invocation)).toBe(expected)
})

it('a record without its choice keeps the rest', () => {
  const record = { version: 1, endpoint: 'e', invocation, token: 't', acknowledged: true } as const
  expect(withoutChoice({ ...record, choice: {} as never })).toEqual(record)
})

const fresh: RuntimeRecord = {
  version: 1,
  endpoint: 'https://tool.example/invoke',
  invocation: parseInvocation({
    operation: 'write',
    arguments: {},
    id: 'i',
    callback_url: 'https://agent.example/callback',
    group_id: 'g',
  }),
  token: 't',
  acknowledged: false,
}
const at = '2026-01-01T00:00:00.000Z'
const message = parseUserChoice({
  type: 'user_choice',
  group_id: 'g',
  id: 'i',
  prompt: 'May I?',
  choices: ['No', 'Yes'],
  default: 0,
  response_url: 'https://tool.example/respond',
})

it.each<[string, Partial<RuntimeRecord>]>([
  ['a new call', {}],
  ['a call whose user chooses', { acknowledged: true, choice: { message, receivedAt: at, state: 'asked' } }],
  ['a selection', { choice: { message, receivedAt: at, state: 'selected', selected: 1 } }],
  ['a selection that the tool has', { choice: { message, receivedAt: at, state: 'told' }, failsAt: at }],
  ['an ended call', { dismissed: true, endedAt: at, result: { text: 'a', content: [1], displayAs: [2] } }],
  ['a result of nothing', { result: {} }],
])('the record of %s is read as it was written', (_, more) => {
  const record = { ...fresh, ...more }
  expect(v.parse(runtimeRecordSchema, JSON.parse(JSON.stringify(record)))).toEqual(record)
})

it.each<[string, object]>([
  ['of another version', { version: 2 }],
  ['without its secret', { token: undefined }],
  ['without its tool', { endpoint: undefined }],
  ['whose choice is in no state', { choice: { message, receivedAt: at, state: 'lost' } }],
  ['whose selection is no index', { choice: { message, receivedAt: at, state: 'selected', selected: '1' } }],
  ['whose result is no text', { result: { text: 1 } }],
])('a record %s is refused', (_, wrong) => {
  expect(v.safeParse(runtimeRecordSchema, { ...fresh, ...wrong }).success).toBe(false)
})
