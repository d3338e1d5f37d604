// Parsers of @sandagent/user-choice: records of calls, remembered decisions, and messages to a tool.

import { createUserChoiceTool } from '../../../packages/user-choice/dist/index.js'
import { createCallRecords } from '../../../packages/user-choice/dist/machine/call-records.js'
import { runtimeRecordSchema } from '../../../packages/user-choice/dist/runtime/runtime-steps.js'
import { Decisions } from '../../../packages/user-choice/dist/tool/decisions.js'
import { toolRecordSchema } from '../../../packages/user-choice/dist/tool/tool-steps.js'
import { bodyText } from '../body-text.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const TIME = '2025-01-30T12:00:00.000Z'
const INVOCATION = {
  operation: 'o',
  arguments: { a: 1 },
  group_id: 'g',
  id: 'i',
  call_id: null,
  callback_url: 'https://runtime.example/c',
  user_id: 'u',
}

const REQUEST = { prompt: 'p', choices: ['a', 'b'], default: 0, remember: { choices: [0], scope: 's' } }
const CHOICE = {
  type: 'user_choice',
  group_id: 'g',
  id: 'i',
  prompt: 'p',
  choices: ['a'],
  default: 0,
  response_url: 'https://tool.example/r',
}

/** A storage that holds one text, whatever is asked for. */
const holding = (/** @type {string | null} */ text) => ({
  read: async () => text,
  writeAtomic: async () => {},
  list: async () => ['a.json'],
  remove: async () => {},
})

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
export const USER_CHOICE = [
  {
    name: 'user-choice: the record of a call of a tool',
    kind: 'json',
    samples: [
      { at: 'choosing', request: REQUEST, until: TIME },
      { at: 'keeping', request: REQUEST, selected: 1 },
      {
        at: 'performing',
        picked: { index: 1, label: 'b', isRemembered: true },
        note: 'n',
        isCancelled: true,
      },
      { at: 'reporting', result: 'r', display: 'd' },
      { at: 'ended', endedAt: TIME },
    ].map((step) => ({ version: 1, invocation: INVOCATION, token: 't', selected: 1, step })),
    refuses: ['INVALID_FILE'],
    read: (text) => createCallRecords(holding(text), 'f', toolRecordSchema, () => {}).open(0),
  },
  {
    name: 'user-choice: the record of a call by a runtime',
    kind: 'json',
    samples: [
      { at: 'sending', until: TIME },
      { at: 'asking', message: CHOICE, receivedAt: TIME, result: { text: 't', content: [], displayAs: [] } },
      { at: 'telling', message: CHOICE, selected: 0 },
      { at: 'told', message: CHOICE, until: TIME },
      { at: 'ended', result: { text: 't' }, endedAt: TIME },
    ].map((step) => ({
      version: 1,
      endpoint: 'https://tool.example',
      invocation: INVOCATION,
      token: 't',
      dismissed: true,
      step,
    })),
    refuses: ['INVALID_FILE'],
    read: (text) => createCallRecords(holding(text), 'f', runtimeRecordSchema, () => {}).read('n'),
  },
  {
    name: 'user-choice: a remembered decision',
    kind: 'json',
    samples: [{ version: 1, operation: 'o', scope: 's', userId: null, label: 'a', decidedAt: TIME }],
    refuses: [],
    read: (text) => new Decisions(holding(text)).list('g'),
  },
  {
    name: 'user-choice: a message to a tool',
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
]

/** @param {unknown} type */
function headerOf(type) {
  try {
    return new Headers({ 'content-type': String(type) })
  } catch {
    return new Headers()
  }
}
