// Frames of the relay's protocol, with the arguments, values and events of its calls.

import { RECORDS } from './file-samples.mjs'
import { JWK } from './keys.mjs'

const { d: _, ...publicKey } = JWK
const keys = { keys: [publicKey] }
const record = JSON.stringify(RECORDS[0])
const state = { toolCallId: 'c', record, answerFile: '{}', unpublished: true, runEnded: true, keyIds: ['k'] }

const ARGS = {
  read: { path: 'a' },
  writeAtomic: { path: 'a', text: 't', exclusive: true, claim: 'b' },
  readFrom: { path: 'a', offset: 1, most: 2 },
  list: { directory: 'a' },
  prepare: {
    command: 'node',
    args: ['-e'],
    env: { A: null, B: 'b' },
    hosts: ['a.example'],
    token: 't',
    stdout: 'o',
    stderr: 'e',
  },
  until: { handle: 'h', files: ['a'], bytes: 1 },
  states: { keys, toolCallIds: ['c'] },
  answer: {
    keys: null,
    answerFile: '{}',
    expectedRevision: 1,
    expectedRecord: { nonce: 'n', runId: 'r', questionDigest: 'd' },
    keyIds: ['k'],
  },
  subscribe: { keys, toolCallId: 'c' },
}

/** What each call gives back, and what comes before that. */
const REPLIES = {
  read: ['text'],
  stat: [{ size: 1, modifiedAt: 2 }],
  list: [null, ['a', 'b'], ['c']],
  watch: [null, 'a', null],
  activeIsolation: [{ level: 'strict', reason: 'r', agentUser: 'u' }],
  prepare: [{ handle: 'h' }],
  begin: [true],
  whenEnded: [{ exitCode: 1, signal: null, error: { code: 'NOT_FOUND', message: 'm' } }],
  spawn: [{ exitCode: null, signal: 'SIGTERM' }, { pid: 1 }, { stdout: 'YQ==' }, { written: true }],
  question: [state, { warning: { code: 'UNSIGNED', message: 'm', toolCallId: 'c' } }],
  questions: [null, { record }],
  states: [null, { index: 0, state }, { index: 1, error: { message: 'm' } }],
  answer: [{ record, keyIds: ['k'] }],
  subscribe: [null, { state }],
  keysOfRun: [['k']],
}

const VALUES = [
  null,
  'text',
  true,
  { size: 1, modifiedAt: 2 },
  { level: 'strict', reason: 'r', agentUser: 'u' },
  { handle: 'h' },
  { exitCode: 1, signal: null, error: { code: 'NOT_FOUND', message: 'm' } },
  state,
  { record, keyIds: ['k'] },
  ['k'],
]

const EVENTS = [
  ['a', 'b'],
  'a',
  { pid: 1 },
  { stdout: 'YQ==' },
  { written: true },
  { record },
  { index: 0, state },
  { index: 0, error: { message: 'm' } },
  { warning: { code: 'UNSIGNED', message: 'm', toolCallId: 'c' } },
  { state },
]

export const RELAY_SAMPLES = {
  replies: [
    ...Object.entries(REPLIES).map(([call, [value, ...events]]) => ({
      call,
      frames: [...events.map((event) => ({ id: 1, event })), { id: 1, value }],
    })),
    {
      call: 'read',
      frames: [{ id: 1, error: { code: 'NOT_FOUND', message: 'm', facts: { a: 'b' }, system: 'ENOENT' } }],
    },
  ],
  toRelay: [
    ...Object.entries(ARGS).map(([call, args], index) => ({ id: index + 1, call, args, again: true })),
    ...[{ stdin: 'YQ==' }, { end: true }, { kill: true }].map((input) => ({ id: 1, input })),
    { id: 1, taken: 5 },
    { id: 1, cancel: true },
    { ping: true },
  ],
  fromRelay: [
    { sandagent: 'relay', protocol: 1, version: '1.0.0' },
    ...VALUES.map((value, index) => ({ id: index + 1, value })),
    ...EVENTS.map((event, index) => ({ id: index + 1, event })),
    { id: 1, error: { code: 'NOT_FOUND', message: 'm', facts: { a: 'b', c: 1, d: true }, system: 'ENOENT' } },
    { pong: true },
  ],
}
