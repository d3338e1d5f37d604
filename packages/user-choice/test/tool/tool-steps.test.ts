import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { resumed, type ToolRecord, type ToolStep, toolRecordSchema } from '../../src/tool/tool-steps.ts'

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
  step: { at: 'deciding' },
}
const request = { prompt: 'May I?', choices: ['No', 'Always'], default: 0 }
const picked = { index: 1, label: 'Always', isRemembered: true }
const until = '2026-01-01T00:00:00.000Z'

it.each<[string, ToolStep]>([
  ['a new call', { at: 'deciding' }],
  ['a call that waits', { at: 'choosing', request, until }],
  [
    'a selection that is remembered',
    {
      at: 'keeping',
      request: { ...request, remember: { choices: [1], scope: '/srv' } },
      selected: 1,
    },
  ],
  ['work that nobody was asked about', { at: 'performing', picked: null }],
  ['work that was cancelled', { at: 'performing', picked, note: 'Nobody was asked', isCancelled: true }],
  ['a result', { at: 'reporting', result: 'Done', display: 'It was done' }],
  ['an ended call', { at: 'ended', endedAt: until }],
])('the record of %s is read as it was written', (_, step) => {
  const record = { ...fresh, selected: 1, step }
  expect(v.parse(toolRecordSchema, JSON.parse(JSON.stringify(record)))).toEqual(record)
})

it.each<[string, object]>([
  ['of another version', { version: 2 }],
  ['without its secret', { token: undefined }],
  ['that does not tell where its call is', { step: undefined }],
  ['of an unknown step', { step: { at: 'lost' } }],
  ['whose choice has no end', { step: { at: 'choosing', request } }],
  ['whose choice has no texts', { step: { at: 'choosing', request: { ...request, choices: [1] }, until } }],
  [
    'whose choice has no default',
    { step: { at: 'choosing', request: { ...request, default: undefined }, until } },
  ],
  ['whose selection is no index', { selected: '1' }],
  ['whose work does not tell what was picked', { step: { at: 'performing' } }],
  ['whose result is no text', { step: { at: 'reporting', result: 1 } }],
])('a record %s is refused', (_, wrong) => {
  expect(v.safeParse(toolRecordSchema, { ...fresh, ...wrong }).success).toBe(false)
})

it.each<[string, ToolStep]>([
  ['decides', { at: 'deciding' }],
  ['waits for its choice', { at: 'choosing', request, until }],
  ['remembers its choice', { at: 'keeping', request, selected: 1 }],
  ['has its result', { at: 'reporting', result: 'Done' }],
  ['has ended', { at: 'ended', endedAt: until }],
])('a call that %s is resumed as it is', (_, step) => {
  const call = { ...fresh, step }
  expect(resumed(call, until, until).call).toBe(call)
})
