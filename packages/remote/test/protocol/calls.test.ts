import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { CALLS, type CallName, processInputSchema } from '../../src/protocol/calls.ts'

const STATE = { toolCallId: 'q' }
const LONG = 'x'.repeat(2001)

/** What each call takes and gives, and what it does not. */
const EXAMPLES: Record<CallName, { args: object; values: unknown[]; events?: unknown[]; not: unknown[] }> = {
  read: { args: { path: 'a' }, values: ['text', null], not: [7, undefined, 'x'.repeat(MAX_FILE_BYTES + 1)] },
  writeAtomic: { args: { path: 'a', text: 't', exclusive: true, claim: 'c' }, values: [null], not: ['x'] },
  writeAt: { args: { path: 'a', bytes: 'YQ==', offset: 0 }, values: [null], not: [true] },
  rename: { args: { path: 'a', name: 'b' }, values: [null], not: [true] },
  sync: { args: { directory: 'd' }, values: [null], not: [true] },
  list: { args: { directory: 'd' }, values: [null], events: [[], ['a', 'b']], not: [[]] },
  stat: {
    args: { path: 'a' },
    values: [null, { size: 1, modifiedAt: 2 }],
    not: [{ size: 1 }, { size: 'x', modifiedAt: 1 }],
  },
  readFrom: { args: { path: 'a', offset: 0, most: 5 }, values: [null, '', 'YQ=='], not: ['ä', 'YQ==='] },
  remove: { args: { path: 'a' }, values: [null], not: [1] },
  watch: { args: { directory: 'd' }, values: [null], events: ['a', null], not: ['a'] },
  activeIsolation: {
    args: {},
    values: [
      { level: 'strict', reason: 'r' },
      { level: 'none', reason: 'r', agentUser: 'u' },
    ],
    not: [{ level: 'some', reason: 'r' }, { level: 'none' }, { level: 'none', reason: LONG }],
  },
  prepare: {
    args: {
      command: 'c',
      args: ['a'],
      env: { A: 'a', B: null },
      hosts: ['h'],
      token: 't',
      stdout: 'o',
      stderr: 'e',
    },
    values: [{ handle: 'h' }],
    not: [{ handle: '' }, { handle: 'h'.repeat(1001) }, {}],
  },
  begin: { args: { token: 't', stdout: 'o' }, values: [true, false], not: [null] },
  drop: { args: { token: 't' }, values: [null], not: [true] },
  settle: { args: { stdout: 'o' }, values: [null], not: [true] },
  whenEnded: {
    args: { token: 't', handle: 'h' },
    values: [
      { exitCode: 1, signal: null },
      { exitCode: null, signal: 'SIGTERM', error: { message: 'm' } },
    ],
    not: [{ exitCode: 1 }, { exitCode: 1, signal: LONG }, { exitCode: '1', signal: null }],
  },
  isRunning: { args: { handle: 'h' }, values: [true, false], not: [null] },
  interrupt: { args: { handle: 'h' }, values: [null], not: [true] },
  kill: { args: { handle: 'h' }, values: [null], not: [true] },
  until: { args: { handle: 'h', files: ['a'], bytes: 0 }, values: [null], not: [true] },
  spawn: {
    args: { command: 'c', args: [], env: {}, hosts: [] },
    values: [{ exitCode: 0, signal: null }],
    events: [{ pid: 1 }, { pid: null }, { stdout: 'YQ==' }, { stderr: '' }, { written: true }],
    not: [null],
  },
  questions: {
    args: { keys: null, unsettled: true },
    values: [null],
    events: [{ record: '{}' }, { warning: { code: 'c', message: 'm' } }],
    not: [[]],
  },
  states: {
    args: { keys: { keys: [{ kty: 'OKP', kid: 'k', x: 'x' }] }, toolCallIds: ['q'] },
    values: [null],
    events: [
      { index: 0, state: STATE },
      { index: 0, error: { message: 'm' } },
      { warning: { code: 'c', message: 'm', toolCallId: 'q' } },
    ],
    not: [[]],
  },
  question: {
    args: { keys: null, toolCallId: 'q' },
    values: [
      STATE,
      {
        ...STATE,
        record: '{}',
        answerFile: '{}',
        unpublished: true,
        runEnded: true,
        isUnread: true,
        keyIds: ['k'],
      },
    ],
    events: [{ warning: { code: 'c', message: 'm' } }],
    not: [
      {},
      { toolCallId: 'q'.repeat(1001) },
      { ...STATE, runEnded: false },
      { ...STATE, unpublished: 1 },
      { ...STATE, isUnread: false },
      { ...STATE, keyIds: [7] },
      { ...STATE, record: 7 },
    ],
  },
  withoutRecord: { args: { keys: null }, values: [null], events: [{ state: STATE }], not: [[]] },
  answer: {
    args: {
      keys: null,
      answerFile: '{}',
      expectedRevision: 0,
      expectedRecord: { nonce: 'n', runId: 'r', questionDigest: 'd' },
      keyIds: ['k'],
    },
    values: [{}, { record: '{}', keyIds: [] }],
    events: [{ warning: { code: 'c', message: 'm' } }],
    not: [{ record: 7 }, { keyIds: 'k' }, { keyIds: ['k'.repeat(1001)] }, { keyIds: Array(101).fill('k') }],
  },
  persist: { args: {}, values: [null], not: [true] },
  subscribe: {
    args: { keys: null, toolCallId: 'q' },
    values: [null],
    events: [{ state: STATE }, { warning: { code: 'c', message: 'm' } }],
    not: [STATE],
  },
  keysOfRun: { args: { runId: 'r' }, values: [[], ['k']], not: [null, [7]] },
}

/** Arguments that callers may leave out. */
const OPTIONAL = ['exclusive', 'claim', 'most', 'env', 'hosts', 'expectedRecord', 'keyIds']

const takes = (schema: v.GenericSchema<unknown, unknown>, value: unknown): boolean => v.is(schema, value)

describe.each(Object.entries(EXAMPLES))('the call %s', (name, { args, values, events = [], not }) => {
  const call = CALLS[name as CallName]

  it('has its arguments, as they were sent', () => {
    expect(v.parse(call.args, args)).toEqual(args)
    for (const [key, value] of Object.entries(args)) {
      const { [key]: _, ...rest } = args as Record<string, unknown>
      const mayLack = OPTIONAL.includes(key) || (name === 'subscribe' && key === 'toolCallId')
      expect(takes(call.args, rest), `without ${key}`).toBe(mayLack)
      const wrong = typeof value === 'string' ? 7 : 'wrong'
      expect(takes(call.args, { ...args, [key]: wrong }), `with a wrong ${key}`).toBe(false)
    }
  })

  it('gives what it may give', () => {
    for (const value of values) expect(v.parse(call.value, value)).toEqual(value)
    for (const value of not) expect(takes(call.value, value), JSON.stringify(value)?.slice(0, 50)).toBe(false)
    for (const event of events) expect(v.parse(call.event, event)).toEqual(event)
    for (const event of [
      7,
      {},
      { pid: -1 },
      { written: false },
      { stdout: 'ä' },
      { index: -1, error: { message: 'm' } },
    ])
      expect(takes(call.event, event), JSON.stringify(event)).toBe(false)
  })
})

it('warnings have a limited length', () => {
  const { event } = CALLS.question
  expect(takes(event, { warning: { code: 'c'.repeat(100), message: 'm'.repeat(10_000) } })).toBe(true)
  expect(takes(event, { warning: { code: 'c'.repeat(101), message: 'm' } })).toBe(false)
  expect(takes(event, { warning: { code: 'c', message: 'm'.repeat(10_001) } })).toBe(false)
})

it('records and answer files have a limited length', () => {
  const json = (length: number) => 'x'.repeat(2 * MAX_FILE_BYTES + length)
  for (const name of ['record', 'answerFile'])
    for (const [more, isOne] of [
      [0, true],
      [1, false],
    ] as const)
      expect(takes(CALLS.question.value, { ...STATE, [name]: json(more) }), `${name} ${more}`).toBe(isOne)
})

it('records and answer files have a limited number of parts', () => {
  for (const name of ['record', 'answerFile'])
    for (const [count, isOne] of [
      [100_000, true],
      [100_001, false],
    ] as const)
      expect(takes(CALLS.question.value, { ...STATE, [name]: '['.repeat(count) }), `${name} ${count}`).toBe(
        isOne,
      )
})

it.each([{}, { keys: {} }, { keys: [{}] }, { keys: [{ kty: 7 }] }, { keys: [{ kty: 'OKP', kid: 7 }] }])(
  'keys are no keys: %j',
  (keys) => expect(takes(CALLS.withoutRecord.args, { keys })).toBe(false),
)

it.each([
  [0, true],
  [2 ** 53, false],
  [0.5, false],
  ['0', false],
])('a state has its place: %j', (index, isOne) =>
  expect(takes(CALLS.states.event, { index, state: STATE })).toBe(isOne),
)

it('names and paths have a limited length, and a list has a limited number of them', () => {
  const path = (length: number) => ({ path: 'p'.repeat(length) })
  expect([takes(CALLS.read.args, path(20_000)), takes(CALLS.read.args, path(20_001))]).toEqual([true, false])
  const names = (length: number) => Array(length).fill('n')
  expect([takes(CALLS.list.event, names(1000)), takes(CALLS.list.event, names(1001))]).toEqual([true, false])
})

it.each<[boolean, unknown]>([
  [true, { stdin: 'YQ==' }],
  [true, { end: true }],
  [true, { kill: true }],
  [false, { kill: false }],
  [false, { end: false }],
  [false, { stdin: 'ä' }],
  [false, {}],
])('an input of a program: %s for %j', (isOne, input) => expect(v.is(processInputSchema, input)).toBe(isOne))
