// Parsers of @sandagent/runner: lines of programs, scenarios, signed answers, records and messages of User Choice.

import { questionDigestOf } from '../../../packages/core/dist/internal.js'
import { unansweredCalls } from '../../../packages/runner/dist/agents/claude/unanswered-calls.js'
import { parseProgramLine } from '../../../packages/runner/dist/agents/command/lines.js'
import { parseScenario } from '../../../packages/runner/dist/agents/scripted/parse-scenario.js'
import { checkAskOptions } from '../../../packages/runner/dist/ask/ask-options.js'
import { openRecordOf } from '../../../packages/runner/dist/ask/ask-request.js'
import { parsePublicKeys } from '../../../packages/runner/dist/ask/public-keys.js'
import { createVerifier } from '../../../packages/runner/dist/ask/verify-answer.js'
import { runtimeRecordSchema } from '../../../packages/runner/dist/user-choice/runtime/runtime-record.js'
import { createCallRecords } from '../../../packages/runner/dist/user-choice/storage.js'
import { createDecisions } from '../../../packages/runner/dist/user-choice/tool/decisions.js'
import { toolRecordSchema } from '../../../packages/runner/dist/user-choice/tool/tool-record.js'
import { createUserChoiceTool } from '../../../packages/runner/dist/user-choice.js'
import { bodyText } from '../body-text.mjs'
import { CLAIMS, RECORDS } from './file-samples.mjs'
import { CLOCK, JWK, KEYS, signed, TIMES } from './keys.mjs'
import { QUESTIONS } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const TIME = '2025-01-30T12:00:00.000Z'
const { d: _, ...PUBLIC } = JWK
const INVOCATION = {
  operation: 'o',
  arguments: { a: 1 },
  group_id: 'g',
  id: 'i',
  call_id: null,
  callback_url: 'https://runtime.example/c',
  user_id: 'u',
}

/** A storage that holds one text, whatever is asked for. */
const holding = (/** @type {string | null} */ text) => ({
  read: async () => text,
  writeAtomic: async () => {},
  list: async () => ['a.json'],
  remove: async () => {},
})

const record = /** @type {any} */ (RECORDS[0])
const verify = createVerifier(KEYS.publicKeys, CLOCK)
const TYPE = 'sandagent-answer+jwt'
const SIGNED = CLAIMS.map((claims) => ({ ...claims, questionDigest: questionDigestOf(record), ...TIMES }))
const TOKEN = signed(JSON.stringify(SIGNED[0]), TYPE)
const verified = (/** @type {string} */ signature) =>
  verify(/** @type {any} */ ({ signature }), record, ['run-1'])

const TOOL = await createUserChoiceTool({
  operations: {},
  storage: holding(null),
  responseUrl: 'https://tool.example/respond',
  callbackUrls: ['https://runtime.example/c'],
  maxCalls: 0,
})

const TOOL_MESSAGES = [
  { route: 'invoke', body: JSON.stringify(INVOCATION), type: 'application/json' },
  {
    route: 'respond',
    body: '{"id":"i","selected":1}',
    type: 'application/json; charset=utf-8',
    query: `?token=${'0'.repeat(64)}.a`,
  },
  { route: 'cancelToolCall', body: '{"thread_id":"t","tool_call_id":"c"}', type: 'application/json' },
  { route: 'closeThread', body: '{"thread_id":"t"}', type: 'application/json' },
]

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
    name: 'runner: the record of a call of a tool',
    kind: 'json',
    samples: [
      {
        version: 1,
        invocation: INVOCATION,
        token: 't',
        choice: {
          request: { prompt: 'p', choices: ['a', 'b'], default: 0, remember: { choices: [0], scope: 's' } },
          deadline: TIME,
          selected: 1,
        },
        begun: true,
        result: 'r',
        display: 'd',
        endedAt: TIME,
      },
    ],
    refuses: ['INVALID_FILE'],
    read: (text) => createCallRecords(holding(text), 'f', toolRecordSchema, () => {}).open(0),
  },
  {
    name: 'runner: the record of a call by a runtime',
    kind: 'json',
    samples: [
      {
        version: 1,
        endpoint: 'https://tool.example',
        invocation: INVOCATION,
        token: 't',
        acknowledged: true,
        dismissed: true,
        choice: {
          message: {
            type: 'user_choice',
            group_id: 'g',
            id: 'i',
            prompt: 'p',
            choices: ['a'],
            default: 0,
            response_url: 'https://tool.example/r',
          },
          receivedAt: TIME,
          state: 'asked',
          selected: 0,
        },
        failsAt: TIME,
        result: { text: 't', content: [], displayAs: [] },
      },
    ],
    refuses: ['INVALID_FILE'],
    read: (text) => createCallRecords(holding(text), 'f', runtimeRecordSchema, () => {}).read('n'),
  },
  {
    name: 'runner: a remembered decision',
    kind: 'json',
    samples: [{ version: 1, operation: 'o', scope: 's', userId: null, label: 'a', decidedAt: TIME }],
    refuses: [],
    read: (text) => createDecisions(holding(text)).list('g'),
  },
  {
    name: 'runner: a message to a tool',
    kind: 'value',
    samples: TOOL_MESSAGES,
    refuses: [],
    async read(value) {
      const { route, body, type, query = '' } = Object(value)
      const handler = /** @type {any} */ (TOOL)[
        TOOL_MESSAGES.find((each) => each.route === route)?.route ?? 'invoke'
      ]
      const text = bodyText(body ?? null) ?? 'null'
      const address = `https://tool.example/a${typeof query === 'string' ? query : ''}`
      const response = await handler(
        new Request(address, { method: 'POST', body: text, headers: headerOf(type) }),
      )
      if (response.status >= 500) throw new Error(`It replies with ${response.status}`)
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

/** @param {unknown} type */
function headerOf(type) {
  try {
    return new Headers({ 'content-type': String(type) })
  } catch {
    return new Headers()
  }
}
