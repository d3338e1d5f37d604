import { parseInvocation, parseUserChoice } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  chosen,
  ended,
  heard,
  isAbout,
  type RuntimeMove,
  type RuntimeRecord,
  type RuntimeStep,
  resumed,
  runtimeRecordSchema,
  told,
  unaskable,
} from '../../src/runtime/runtime-steps.ts'

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
  step: { at: 'sending' },
}
const at = '2026-01-01T00:00:00.000Z'
const later = '2026-01-01T00:01:00.000Z'
const message = parseUserChoice({
  type: 'user_choice',
  group_id: 'g',
  id: 'i',
  prompt: 'May I?',
  choices: ['No', 'Yes'],
  default: 0,
  response_url: 'https://tool.example/respond',
})

const asking: RuntimeStep = { at: 'asking', message, receivedAt: at }
const result = { text: 'a', content: [1], displayAs: [2] }

it.each<[string, RuntimeStep]>([
  ['a new call', { at: 'sending' }],
  ['a call that the tool may have', { at: 'unsure', until: at }],
  ['a call that waits', { at: 'waiting', until: at }],
  ['a call whose user chooses', asking],
  ['a call whose question is withdrawn', { ...asking, result }],
  ['a selection', { at: 'telling', message, selected: 1 }],
  ['a selection that the tool has', { at: 'told', message, until: at }],
  ['an ended call', { at: 'ended', endedAt: at, result }],
  ['a result of nothing', { at: 'ended', endedAt: at, result: {} }],
])('the record of %s is read as it was written', (_, step) => {
  const record = { ...fresh, dismissed: true, step }
  expect(v.parse(runtimeRecordSchema, JSON.parse(JSON.stringify(record)))).toEqual(record)
})

it.each<[string, object]>([
  ['of another version', { version: 2 }],
  ['without its secret', { token: undefined }],
  ['without its tool', { endpoint: undefined }],
  ['of an unknown step', { step: { at: 'lost' } }],
  ['whose call would be unsure for ever', { step: { at: 'unsure' } }],
  ['whose selection is no index', { step: { at: 'telling', message, selected: '1' } }],
  ['whose result is no text', { step: { at: 'ended', endedAt: at, result: { text: 1 } } }],
])('a record %s is refused', (_, wrong) => {
  expect(v.safeParse(runtimeRecordSchema, { ...fresh, ...wrong }).success).toBe(false)
})

const stepAfter = (move: RuntimeMove, step: RuntimeStep) => move({ ...fresh, step }, at, later).call.step

it('a call that was being sent is unsure after a restart, and all others are where they were', () => {
  expect(stepAfter(resumed, { at: 'sending' })).toEqual({ at: 'unsure', until: later })
  expect(stepAfter(resumed, { at: 'sending', until: at })).toEqual({ at: 'unsure', until: at })
  for (const step of [asking, { at: 'waiting' }, { at: 'told', message }] as RuntimeStep[])
    expect(stepAfter(resumed, step)).toBe(step)
})

it('a call that is heard of waits, and after a restart without a limit', () => {
  expect(stepAfter(heard, { at: 'sending', until: at })).toEqual({ at: 'waiting', until: at })
  expect(stepAfter(heard, { at: 'unsure', until: at })).toEqual({ at: 'waiting' })
  expect(stepAfter(heard, asking)).toBe(asking)
})

it('a result that comes while the user chooses ends the call once the question is withdrawn', () => {
  const withdrawing = stepAfter(ended(result), asking)
  expect(withdrawing).toEqual({ ...asking, result })
  expect(stepAfter(chosen(1), withdrawing)).toEqual({ at: 'ended', result, endedAt: at })
  expect(stepAfter(unaskable(new Error('broken')), withdrawing)).toEqual({ at: 'ended', result, endedAt: at })
})

it('a selection that the tool refuses gives it a while, counted from the refusal', () => {
  const telling: RuntimeStep = { at: 'telling', message, selected: 1 }
  expect(stepAfter(told(true), telling)).toEqual({ at: 'told', message, until: later })
  expect(stepAfter(told(false), telling)).toEqual({ at: 'told', message })
})
