import { expect, it } from 'vitest'
import {
  isAbout,
  type RuntimeRecord,
  withoutChoice,
} from '../../../src/user-choice/runtime/runtime-record.ts'

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
