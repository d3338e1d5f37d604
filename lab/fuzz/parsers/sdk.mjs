// Parsers of @sandagent/sdk: keys, tokens, cursors, run records, logs, policies and the audit log.

import { readRunnerToken } from '../../../packages/fleet-host/dist/runner-token.js'
import { readChatRequest, readMessages } from '../../../packages/sdk/dist/agents/chat-request.js'
import { parseLinkRequest } from '../../../packages/sdk/dist/answers/create-answer-link.js'
import { parseCursor } from '../../../packages/sdk/dist/answers/list-cursor.js'
import { hashesIn, readLine, sealLine } from '../../../packages/sdk/dist/audit/audit-line.js'
import * as sdk from '../../../packages/sdk/dist/index.js'
import { readExit, readStop } from '../../../packages/sdk/dist/run-records/run-ends.js'
import { latestRecord } from '../../../packages/sdk/dist/run-records/run-records.js'
import {
  chunkOf,
  createEventCutter,
  readComplaints,
  readEnding,
} from '../../../packages/sdk/dist/runs/run-log.js'
import { checkRunRequest } from '../../../packages/sdk/dist/runs/start/run-request.js'
import { parseLaunchRequest } from '../../../packages/sdk/dist/sandbox/isolation/launch-request.js'
import { linkTokenIn, redeemLink, signLink } from '../../../packages/sdk/dist/signing/answer-link.js'
import { bodyText } from '../body-text.mjs'
import { RECORDS } from './file-samples.mjs'
import { CLOCK, JWK, KEYS, signed, TIMES } from './keys.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const TIME = '2025-01-30T12:00:00.000Z'

/** Files that all have one content. */
const holding = (/** @type {string} */ text, /** @type {string[]} */ names = []) =>
  /** @type {any} */ ({
    read: async (/** @type {string} */ path) =>
      path.includes('claim') || /2(\.|$)/.test(path) ? null : text,
    list: async () => names,
    stat: async () => ({ size: Buffer.byteLength(text), modifiedAt: 0 }),
    readFrom: async () => Buffer.from(text),
  })

const RUN = {
  version: 1,
  runId: 'run-1',
  attempt: 1,
  agent: 'claude',
  args: ['--a'],
  prompt: 'p',
  metadata: { a: 'b' },
  owner: 'ada',
  startedAt: TIME,
  process: '17 4711 h/b/n',
  maxLogBytes: 1000,
  publicKeyIds: ['k'],
}

const EXIT = { exitCode: 1, signal: null, endedAt: TIME }

const LINE = sealLine(
  { seq: 1, previous: '' },
  /** @type {any} */ ({ at: TIME, action: 'opened', after: { 'a.jsonl': 'h' }, removed: { 'b.jsonl': 'h' } }),
).text

const record = /** @type {any} */ (RECORDS[0])
const LINK = await signLink(KEYS, record, {
  page: 'https://app.example/',
  answeredBy: 'ada',
  lifetimeMs: 60_000,
  clock: CLOCK,
})
const LINK_CLAIMS = JSON.parse(Buffer.from(LINK.split('.')[1] ?? '', 'base64url').toString())
const ACCESS = { namespace: 'n', runId: 'run-1', continues: ['run-0'], ...TIMES }
const redeem = (/** @type {string} */ token) =>
  redeemLink(
    token,
    { toolCallId: 'toolu_1', record },
    { signingKeys: KEYS, page: 'https://app.example/', clock: CLOCK },
  )
const LINK_CODES = ['LINK_EXPIRED', 'LINK_USED', 'LINK_INVALID']
const TOKEN_WORDS = ['.', '=', '-', '_', 'eyJhbGciOiJub25lIn0', 'e30', 'bnVsbA', 'W10']

/** @type {Parser[]} */
export const SDK = [
  {
    name: 'sdk: signing keys',
    kind: 'json',
    samples: [JWK, { keys: [JWK, { ...JWK, kid: undefined }] }],
    refuses: ['INVALID_FILE'],
    read: (text) => sdk.parseSigningKeys(text),
  },
  {
    name: 'sdk: an answer link',
    kind: 'text',
    samples: [LINK],
    words: TOKEN_WORDS,
    refuses: LINK_CODES,
    read: redeem,
  },
  {
    name: 'sdk: claims of an answer link',
    kind: 'json',
    samples: [LINK_CLAIMS],
    refuses: LINK_CODES,
    read: (claims) => redeem(signed(claims, 'sandagent-link+jwt')),
  },
  {
    name: 'sdk: a token in a header',
    kind: 'text',
    samples: [`Bearer ${LINK}`],
    words: TOKEN_WORDS,
    refuses: [],
    read: (value) => linkTokenIn(/** @type {any} */ ({ headers: { get: () => value } })),
  },
  {
    name: 'sdk: the token of a runner',
    kind: 'text',
    samples: [signed(JSON.stringify(ACCESS), 'sandagent-runner+jwt')],
    words: TOKEN_WORDS,
    refuses: ['UNAUTHENTICATED'],
    read: (token) => readRunnerToken(token, { signingKeys: KEYS, clock: CLOCK }),
  },
  {
    name: 'sdk: claims of a runner',
    kind: 'json',
    samples: [ACCESS],
    refuses: ['UNAUTHENTICATED'],
    read: (claims) =>
      readRunnerToken(signed(claims, 'sandagent-runner+jwt'), { signingKeys: KEYS, clock: CLOCK }),
  },
  {
    name: 'sdk: a cursor of a list',
    kind: 'json',
    samples: [
      [Date.parse(TIME), 'toolu_1'],
      [null, 'toolu_1'],
    ],
    refuses: ['INVALID_REQUEST'],
    read: (text) => parseCursor(Buffer.from(text).toString('base64url')),
  },
  {
    name: 'sdk: a cursor as text',
    kind: 'text',
    samples: [sdk.cursorOf({ askedAt: TIME, toolCallId: 'c' })],
    refuses: ['INVALID_REQUEST'],
    read: (text) => parseCursor(text),
  },
  {
    name: 'sdk: a policy',
    kind: 'value',
    samples: [
      [
        {
          for: { kinds: ['approval'], tools: ['Bash*'] },
          roles: ['lead'],
          owner: true,
          people: ['ada'],
          votes: 2,
        },
        { people: ['bob'] },
      ],
    ],
    refuses: ['INVALID_REQUEST'],
    read: (value) => sdk.parsePolicy(value),
  },
  {
    name: 'sdk: a line of an audit log',
    kind: 'text',
    samples: [LINE],
    words: ['"seq":', '"previous":""', '"hash":"', '"after":', '}', '{'],
    refuses: [],
    read(text) {
      const read = readLine(text)
      if (read) for (const name of /** @type {const} */ (['after', 'removed'])) hashesIn(read.line, name)
    },
  },
  {
    name: 'sdk: the record of a run',
    kind: 'json',
    samples: [RUN, { version: 1, runId: 'run-1', attempt: 1, abandoned: true }],
    refuses: [],
    read: (text) => latestRecord({ files: holding(text, ['1', '1.json']) }, 'run-1'),
  },
  {
    name: 'sdk: how a run ended',
    kind: 'json',
    samples: [EXIT, { reason: 'enough' }],
    refuses: [],
    async read(text) {
      const sandbox = { files: holding(text) }
      await readExit(sandbox, /** @type {any} */ (RUN))
      await readStop(sandbox, /** @type {any} */ (RUN))
    },
  },
  {
    name: 'sdk: the log of a run',
    kind: 'bytes',
    samples: [
      'data: {"type":"text","delta":"a"}\n\ndata: {"type":"error","errorText":"e"}\n\ndata: [DONE]\n\n',
      'data: {"type":"abort"}\n\ndata: [DONE]\n\n',
    ],
    words: ['\n\n', 'data: ', 'data: [DONE]', '{"type":', 'null'],
    refuses: [],
    async read(bytes, random) {
      const files = /** @type {any} */ ({
        stat: async () => ({ size: bytes.length, modifiedAt: 0 }),
        readFrom: async () => bytes,
      })
      const cut = createEventCutter()
      const at = random.int(bytes.length + 1)
      for (const event of [...cut(bytes.subarray(0, at)), ...cut(bytes.subarray(at))]) chunkOf(event)
      await readEnding(files, 'log')
      await readComplaints(files, 'log')
    },
  },
  {
    name: 'sdk: a request to start a run',
    kind: 'value',
    samples: [
      {
        agent: 'claude',
        args: [],
        prompt: 'p',
        runId: 'run-1',
        runner: ['sandagent'],
        metadata: { a: 'b' },
        owner: 'ada',
        continues: ['run-0'],
        env: { A: 'b' },
        passEnv: ['B'],
        maxLogBytes: 1,
      },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (value) => checkRunRequest(value),
  },
  {
    name: 'sdk: the request of a chat',
    kind: 'value',
    samples: [
      { prompt: 'Deploy' },
      { id: 'c1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Deploy' }] }] },
      { id: 'c1', messages: [{ parts: [{ type: 'file', url: 'data:,' }] }], trigger: 'submit-message' },
    ],
    refuses: ['INVALID_REQUEST', 'TOO_LARGE'],
    read: (value, random) =>
      random.pick([readChatRequest, readMessages])(
        new Request('https://host.example/api/chat', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: bodyText(value) ?? '',
        }),
      ),
  },
  {
    name: 'sdk: the request of an answer link',
    kind: 'value',
    samples: [
      { toolCallId: 'toolu_1', page: 'https://example.com/answer' },
      {
        toolCallId: 'toolu_1',
        page: 'https://example.com/answer',
        answeredBy: 'ada@example.com',
        roles: ['lead'],
        expiresInMs: 1000,
      },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (value) => parseLinkRequest(value),
  },
  {
    name: 'sdk: a program to launch',
    kind: 'json',
    samples: [
      {
        workdir: '/w',
        stateFolder: '.sandagent',
        readable: ['/a'],
        hidden: [],
        hosts: ['a.example'],
        command: 'node',
        args: ['-e'],
        env: { A: 'b' },
      },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (text) => parseLaunchRequest(text),
  },
]
