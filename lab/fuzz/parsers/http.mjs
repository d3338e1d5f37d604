// Requests to the HTTP handlers of @sandagent/sdk: their queries, headers and bodies.

import { createMemoryFleet } from '../../../packages/fleet/dist/index.js'
import { fleetSandbox } from '../../../packages/fleet-host/dist/fleet-sandbox.js'
import { createRunnerHandler } from '../../../packages/fleet-host/dist/runner-handler.js'
import { createInboxHandler } from '../../../packages/inbox/dist/index.js'
import { createRespondHandler } from '../../../packages/sdk/dist/agentrail/index.js'
import { createAnswerHandler } from '../../../packages/sdk/dist/index.js'
import { bodyText } from '../body-text.mjs'
import { RECORDS } from './file-samples.mjs'
import { CLOCK, KEYS, signed, TIMES } from './keys.mjs'
import { QUESTIONS, RESPONSES } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const ACCESS = { namespace: 'n', runId: 'run-1', continues: [], ...TIMES }
const TOKEN = signed(JSON.stringify(ACCESS), 'sandagent-runner+jwt')
const record = /** @type {any} */ ({ ...RECORDS[0], process: undefined })
const text = JSON.stringify(record)

/** How many requests one host answers: a final answer ends its question. */
const REQUESTS_OF_HOST = 30

const onError = (/** @type {unknown} */ error) => {
  throw error
}

async function createHost() {
  const fleet = createMemoryFleet()
  const facts = { runId: record.runId, askedAt: record.askedAt, isSettled: false }
  await fleet.questions('n').writeRecord(record.toolCallId, text, { expected: null, facts })
  const sandbox = fleetSandbox(fleet, 'n')
  const options = {
    clock: CLOCK,
    signingKeys: KEYS,
    onError,
    onWarning() {},
    authorize: () => ({ answeredBy: 'ada' }),
  }
  const answers = createAnswerHandler({ ...options, sandbox, links: { page: 'https://app.example/' } })
  const respond = createRespondHandler({ ...options, sandbox })
  const grants = /** @type {any} */ ({
    offer: async () => ({}),
    give: async () => null,
    answers: async () => false,
    list: async () => [],
    revoke: async () => ({}),
  })
  const inbox = createInboxHandler({ ...options, grants, sandboxes: [{ id: 's', name: 'S', sandbox }] })
  return {
    fleet,
    left: REQUESTS_OF_HOST,
    handlers: /** @type {Record<string, (request: Request) => Promise<Response>>} */ ({
      answer: (request) => (request.method === 'GET' ? answers.GET(request) : answers.POST(request)),
      respond: respond.POST,
      inbox,
      runner: createRunnerHandler({ fleet, signingKeys: KEYS, clock: CLOCK, onError }),
    }),
  }
}

let host = await createHost()

/** @param {string} name @param {any} parts */
async function send(name, parts) {
  if (host.left-- <= 0) {
    await host.fleet.close?.()
    host = await createHost()
  }
  const request = requestOf(parts)
  if (!request) return
  const response = await /** @type {any} */ (host.handlers[name])(request)
  await response.body?.cancel()
  if (response.status >= 500 && response.status !== 503) throw new Error(`It replies with ${response.status}`)
}

/** A request, as far as its parts are those of one. @param {any} parts @returns {Request | null} */
function requestOf(parts) {
  const { method, path, headers, body } = Object(parts)
  try {
    const text = bodyText(body)
    const written = text === undefined || method === 'GET' ? {} : { body: text }
    return new Request(new URL(String(path), 'https://host.example'), { method, headers, ...written })
  } catch {
    return null
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const BEARER = { authorization: `Bearer ${TOKEN}` }
const ANSWER = { toolCallId: 'toolu_1', responses: RESPONSES, questions: QUESTIONS, browser: 'b' }

/** @type {Record<string, unknown[]>} */
const SAMPLES = {
  answer: [
    {
      method: 'GET',
      path: '/a?toolCallId=toolu_1&browser=b',
      headers: { accept: '*/*', origin: 'https://host.example', host: 'host.example' },
    },
    {
      method: 'GET',
      path: '/a?toolCallId=a&toolCallId=toolu_1',
      headers: { accept: 'text/event-stream', 'last-event-id': '1' },
    },
    { method: 'GET', path: '/a?limit=2&cursor=WzEsImEiXQ', headers: { 'sec-fetch-site': 'same-origin' } },
    { method: 'POST', path: '/a', headers: JSON_TYPE, body: { ...ANSWER, status: 'pending' } },
    {
      method: 'POST',
      path: '/a',
      headers: JSON_TYPE,
      body: { toolCallId: 'toolu_1', answers: { 'Why?': 'so' }, status: 'completed' },
    },
    {
      method: 'POST',
      path: '/a',
      headers: JSON_TYPE,
      body: { toolCallId: 'toolu_1', status: 'declined', reason: 'r', questionDigest: 'd', askedAt: 't' },
    },
  ],
  respond: [
    {
      method: 'POST',
      path: '/sessions/run-1/respond',
      headers: JSON_TYPE,
      body: { kind: 'question', answer: 'TypeScript', toolCallId: 'toolu_1' },
    },
    { method: 'POST', path: '/sessions/run%2D1/respond/', headers: JSON_TYPE, body: { answer: 'so' } },
  ],
  inbox: [
    ...[
      'questions?limit=2&kind=question',
      'history?limit=5&before=WzEsImEiLCJiIl0',
      'question?sandbox=s&toolCallId=toolu_1',
    ].map((path) => ({ method: 'GET', path: `/inbox/${path}`, headers: { accept: '*/*' } })),
    ...['runs?limit=2', 'run?sandbox=s&runId=run-1', 'log?sandbox=s&runId=run-1'].map((path) => ({
      method: 'GET',
      path: `/inbox/${path}`,
      headers: {},
    })),
    {
      method: 'POST',
      path: '/inbox/answer?sandbox=s',
      headers: JSON_TYPE,
      body: { ...ANSWER, status: 'pending' },
    },
    {
      method: 'POST',
      path: '/inbox/revoke',
      headers: JSON_TYPE,
      body: { sandbox: 's', id: '0123456789abcdef' },
    },
  ],
  runner: [
    {
      method: 'POST',
      path: '/questions',
      headers: { ...JSON_TYPE, ...BEARER },
      body: { toolCallIds: ['toolu_1', 'b'] },
    },
    {
      method: 'PUT',
      path: '/records',
      headers: { ...JSON_TYPE, ...BEARER, 'if-match': '"1"' },
      body: record,
    },
    {
      method: 'PUT',
      path: '/records',
      headers: { ...JSON_TYPE, ...BEARER, 'if-none-match': '*' },
      body: { ...record, toolCallId: 'b' },
    },
    { method: 'GET', path: '/changes', headers: BEARER },
    {
      method: 'GET',
      path: `/files?toolCallId=toolu_1&name=${'a'.repeat(64)}&offset=0`,
      headers: BEARER,
    },
  ],
}

/** @type {Parser[]} */
export const HTTP = Object.entries(SAMPLES).map(([name, samples]) => ({
  name: `http: a request to the ${name} handler`,
  kind: 'value',
  samples,
  refuses: [],
  read: (parts) => send(name, parts),
}))
