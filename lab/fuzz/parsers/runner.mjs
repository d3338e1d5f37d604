// Parsers of @sandagent/runner: lines of programs, scenarios, options, keys, signatures and transcripts.

import { questionDigestOf } from '../../../packages/core/dist/internal.js'
import { unansweredCalls } from '../../../packages/runner/dist/agents/claude/transcript/unanswered-calls.js'
import { createAppServer } from '../../../packages/runner/dist/agents/codex/app-server.js'
import { CodexItems, itemIn } from '../../../packages/runner/dist/agents/codex/items.js'
import { CodexThread } from '../../../packages/runner/dist/agents/codex/thread.js'
import { leftIn } from '../../../packages/runner/dist/agents/codex/unanswered.js'
import { parseProgramLine, parseReplyLine } from '../../../packages/runner/dist/agents/command/lines.js'
import { parseScenario } from '../../../packages/runner/dist/agents/scripted/parse-scenario.js'
import { checkAskOptions } from '../../../packages/runner/dist/ask/ask-options.js'
import { openRecordOf } from '../../../packages/runner/dist/ask/ask-request.js'
import { parseCheckCall } from '../../../packages/runner/dist/ask/check-call.js'
import { parsePublicKeys } from '../../../packages/runner/dist/ask/verify/public-keys.js'
import { createVerifier } from '../../../packages/runner/dist/ask/verify/verify-answer.js'
import { CLAIMS, RECORDS } from './file-samples.mjs'
import { CLOCK, JWK, KEYS, signed, TIMES } from './keys.mjs'
import { QUESTIONS } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const { d: _, ...PUBLIC } = JWK

const record = /** @type {any} */ (RECORDS[0])
const verify = createVerifier(KEYS.publicKeys, CLOCK)
const TYPE = 'sandagent-answer+jwt'
const SIGNED = CLAIMS.map((claims) => ({ ...claims, questionDigest: questionDigestOf(record), ...TIMES }))
const TOKEN = signed(JSON.stringify(SIGNED[0]), TYPE)
const verified = (/** @type {string} */ signature) =>
  verify(/** @type {any} */ ({ signature }), record, ['run-1'])

/** @type {Parser[]} */
export const RUNNER = [
  {
    name: 'runner: a line of a program',
    kind: 'json',
    samples: [
      { type: 'say', text: 'a' },
      { type: 'ask', id: 'a', questions: QUESTIONS, timeoutMs: 1000, timeoutPolicy: 'defaults' },
      { type: 'tool', name: 'n', input: { a: 1 }, output: 'o', error: 'e' },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (line) => parseProgramLine(line),
  },
  {
    name: 'runner: a call that checks a ticket',
    kind: 'value',
    samples: [{ ticket: 'call_1' }, { ticket: 'call_1', action: 'withdraw' }],
    refuses: ['INVALID_REQUEST'],
    read: (value) => parseCheckCall(value),
  },
  {
    name: 'runner: a line that a program reads',
    kind: 'json',
    samples: [
      {
        type: 'answer',
        id: '1',
        kind: 'answered',
        answers: { q1: 'TypeScript', q2: ['a', 'b'] },
        responses: { q1: { selected: ['TypeScript'] }, q2: { selected: ['a', 'b'], freeText: 'c' } },
        text: 'The user answered.',
      },
      {
        type: 'error',
        id: '1',
        code: 'INVALID_REQUEST',
        message: 'm',
        faults: [{ path: 'a', expected: 'b' }],
      },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (line) => parseReplyLine(line),
  },
  {
    name: 'runner: a scenario',
    kind: 'value',
    samples: [
      {
        title: 't',
        steps: [
          { say: 'Hello {{prompt}} {{answers.q1 ?? nobody}} {{json output}}' },
          {
            ask: {
              as: 'first',
              questions: QUESTIONS,
              timeoutMs: 'never',
              timeoutPolicy: 'partial',
              ifUnanswered: 'continue',
            },
          },
          { write: { path: 'a', content: ['a', '{{answers.q2}}'] } },
          { run: { command: 'ls', args: ['-l'], needsApproval: true } },
          { when: { answer: 'q1', equals: 'ts', do: [{ say: 'a' }], else: [{ say: 'b' }] } },
          {
            when: {
              outcome: 'first',
              is: ['answered'],
              do: [{ when: { answer: 'q2', includes: 'c', do: [] } }],
            },
          },
        ],
      },
    ],
    refuses: ['INVALID_FILE'],
    read: (value) => parseScenario(value),
  },
  {
    name: 'runner: what an agent asks',
    kind: 'value',
    samples: [
      {
        toolCallId: 'c',
        toolName: 't',
        kind: 'approval',
        questions: QUESTIONS,
        subject: { toolName: 'Bash', input: { a: [1] } },
        asker: { agent: 'a' },
        runId: 'r',
      },
    ],
    refuses: ['INVALID_REQUEST', 'INVALID_QUESTIONS'],
    read: (value) => openRecordOf(value, 60_000, CLOCK.now()),
  },
  {
    name: 'runner: options of a question',
    kind: 'value',
    samples: [{ timeoutMs: 1, timeoutPolicy: 'partial', quietMs: 5 }],
    refuses: ['INVALID_REQUEST'],
    read: (value) => checkAskOptions(value),
  },
  {
    name: 'runner: public keys',
    kind: 'json',
    samples: [{ keys: [PUBLIC] }],
    refuses: ['INVALID_REQUEST'],
    async read(text) {
      const check = createVerifier(parsePublicKeys(text), CLOCK)
      await check(/** @type {any} */ ({ signature: TOKEN }), record, ['run-1'])
    },
  },
  {
    name: 'runner: a signature',
    kind: 'text',
    samples: [TOKEN],
    words: ['.', '=', 'eyJhbGciOiJub25lIn0', 'e30', 'W10'],
    refuses: [],
    read: verified,
  },
  {
    name: 'runner: claims of a signature',
    kind: 'json',
    samples: SIGNED,
    refuses: [],
    read: (claims) => verified(signed(claims, TYPE)),
  },
  {
    name: 'runner: a line of the app server of Codex',
    kind: 'text',
    samples: [
      { id: 1, result: {} },
      { id: 1, error: { code: -32600, message: 'no' } },
      { id: 'a', method: 'item/tool/requestUserInput', params: { questions: [] } },
      { method: 'item/started', params: { item: { type: 'plan', id: 'i', text: 't' }, turnId: 'u' } },
    ].map((message) => JSON.stringify(message)),
    refuses: [],
    async read(line) {
      const server = createAppServer({
        write() {},
        onRequest: async () => ({}),
        onNotification: async () => {},
        onWarning() {},
      })
      server.request('initialize', {}).catch(() => {})
      await server.take(line)
      server.end(new Error('over'))
    },
  },
  {
    name: 'runner: what Codex tells of its turn',
    kind: 'value',
    samples: [
      { turnId: 'u', item: { type: 'commandExecution', id: 'i', status: 'failed', error: { message: 'm' } } },
      { turnId: 'u', item: { type: 'agentMessage', id: 'i', text: 't', questions: null } },
      { turnId: 'u', itemId: 'i', delta: 'd' },
      { turn: { id: 'u', status: 'failed', error: { message: 'm' } }, requestId: 1 },
      { thread: { id: 't' }, turn: { id: 'u', status: 'inProgress' } },
    ],
    refuses: ['UNREACHABLE'],
    async read(params) {
      const ui = new Proxy({}, { get: () => async () => {} })
      const items = new CodexItems(/** @type {any} */ (ui))
      const asks = { note() {}, withdraw() {}, message: async () => 'answered' }
      const thread = new CodexThread(/** @type {any} */ ({ items, asks, run: { ui } }))
      const item = itemIn(params)
      if (item) await items.completed('i', item)
      for (const method of [
        'item/started',
        'item/completed',
        'item/agentMessage/delta',
        'item/reasoning/summaryTextDelta',
        'serverRequest/resolved',
        'turn/completed',
      ])
        await thread.take(method, { ...Object(params), threadId: '' })
      const { signal } = new AbortController()
      const server = {
        notify() {},
        /** @param {string} method */
        async request(method) {
          const turn = { id: 'u', status: 'completed' }
          const end = () => void held.take('turn/completed', { threadId: held.id, turn })
          if (method === 'turn/start') setImmediate(end)
          return params
        },
      }
      const run = { ui, workdir: '/' }
      const held = new CodexThread(/** @type {any} */ ({ items, asks, signal, server, run }))
      await held.hold('p', {})
    },
  },
  {
    name: 'runner: a transcript of Codex',
    kind: 'value',
    samples: [
      [
        { type: 'turn_context', payload: { turn_id: 'u' } },
        {
          type: 'response_item',
          payload: {
            type: 'function_call',
            name: 'request_user_input',
            call_id: 'c',
            arguments: '{"questions":[{}]}',
          },
        },
        { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c', output: 'aborted' } },
      ],
    ],
    refuses: [],
    async read(value) {
      async function* lines() {
        for (const record of Array.isArray(value) ? value : [value]) yield JSON.stringify(record) ?? ''
      }
      await leftIn(lines())
    },
  },
  {
    name: 'runner: a transcript of Claude',
    kind: 'value',
    samples: [
      [
        {
          type: 'assistant',
          message: { id: 'm', content: [{ type: 'tool_use', id: 'c', name: 'AskUserQuestion', input: {} }] },
        },
        {
          type: 'user',
          message: {
            content: [
              { type: 'tool_result', tool_use_id: 'c', is_error: true },
              { type: 'text', text: 't' },
            ],
          },
        },
      ],
    ],
    refuses: [],
    // The SDK's own types hold for the outer shape.
    read: (value) =>
      Array.isArray(value) &&
      unansweredCalls(value.filter((each) => typeof each?.message === 'object' && each.message)),
  },
]
