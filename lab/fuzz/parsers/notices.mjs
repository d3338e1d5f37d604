// Parsers of @sandagent/notices: settings, rules, subscriptions, what was sent, and messages of Slack.

import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { AskError, parseWith } from '../../../packages/core/dist/internal.js'
import { parseButton, parseRefText } from '../../../packages/notices/dist/chat/button-ref.js'
import { createChatSink } from '../../../packages/notices/dist/chat/chat-sink.js'
import { checkRules } from '../../../packages/notices/dist/rules/check-rules.js'
import { isQuiet, isTimeZone } from '../../../packages/notices/dist/rules/quiet-hours.js'
import { createSentNotices } from '../../../packages/notices/dist/sent/sent-notices.js'
import { readNoticeSettings } from '../../../packages/notices/dist/settings/settings.js'
import { formState, responsesIn } from '../../../packages/notices/dist/slack/question-form.js'
import { parseRef } from '../../../packages/notices/dist/slack/question-ref.js'
import { createSlackHandler } from '../../../packages/notices/dist/slack/slack-handler.js'
import { createSlackSink } from '../../../packages/notices/dist/slack/slack-sink.js'
import { checkEndpoint } from '../../../packages/notices/dist/web-push/endpoint.js'
import { parseSubscription } from '../../../packages/notices/dist/web-push/subscription.js'
import { createSubscriptions } from '../../../packages/notices/dist/web-push/subscriptions.js'
import { loadVapidKeys } from '../../../packages/notices/dist/web-push/vapid-keys.js'
import { createWebPushHandler } from '../../../packages/notices/dist/web-push/web-push-handler.js'
import { CLOCK, KEYS, signed, TIMES } from './keys.mjs'
import { ASKED } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

/** A folder that the driver makes and removes. */
const { folder } = workerData
const TIME = '2025-01-30T12:00:00.000Z'

const RULES = {
  people: {
    ada: {
      addresses: { mail: 'ada@example.org', desktop: true, slack: { to: 'U012AB3CD', showText: true } },
      quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
    },
  },
  rules: [
    {
      for: { sandboxes: ['a*'], kinds: ['question'], agents: ['claude'] },
      tell: [{ people: ['ada'], by: ['mail'], afterMinutes: 5 }],
    },
  ],
}
const SETTINGS = {
  sinks: {
    mail: { type: 'mail', server: { env: 'MAIL' }, from: 'a@example.org' },
    desktop: { type: 'desktop' },
    slack: {
      type: 'slack',
      botToken: { env: 'TOKEN' },
      signingSecret: { env: 'TOKEN' },
      apiUrl: 'https://slack.example/',
    },
    hook: { type: 'webhook', url: 'https://hook.example', secret: { file: 'missing' } },
  },
  ...RULES,
}
const { hook: _, ...usable } = SETTINGS.sinks
const ENV = { MAIL: 'smtps://a:b@mail.example', TOKEN: 'xoxb-1' }

const SUBSCRIPTION = {
  endpoint: 'https://push.example/a',
  keys: {
    p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
  showText: true,
}
const SENT = {
  subject: {
    id: 'i',
    sandboxId: 's',
    sandboxName: 'n',
    toolCallId: 'c',
    person: { name: 'ada', address: 'a' },
  },
  sink: 'slack',
  question: 'q',
  at: TIME,
  message: { channel: 'C1', ts: '1.2' },
  failure: 'f',
}
const REF = { sandboxId: 's', toolCallId: 'c', askedAt: TIME, questionDigest: 'd', option: 0 }
const FORM = {
  values: {
    '0-pick': { input: { selected_option: { value: '0' }, selected_options: [{ value: '1' }] } },
    '0-text': { input: { value: 'text' } },
  },
}

const sentName = `${'0'.repeat(32)}-${'0'.repeat(32)}.json`
const sent = createSentNotices(join(folder, 'sent'), { onWarning() {} })
const browsers = createSubscriptions(join(folder, 'browsers'), { signingKeys: KEYS, clock: CLOCK })
const browserName = `${'0'.repeat(32)}.jwt`
const push = createWebPushHandler({
  subscriptions: /** @type {any} */ ({ add: async () => {}, remove: async () => {} }),
  publicKey: 'k',
  personIn: async () => 'ada',
  onError(error) {
    throw error
  },
  allowLoopback: false,
})

const missing = async () => {
  throw new AskError('NOT_FOUND', 'There is no such question')
}
const slack = createSlackHandler({
  signingSecret: 's',
  botToken: 'b',
  apiUrl: 'http://127.0.0.1:9/',
  inbox: /** @type {any} */ ({ find: missing, submit: missing }),
  authorize: () => null,
  clock: CLOCK,
})

/** What Slack would send. @param {string} body */
function fromSlack(body) {
  const timestamp = String(Math.floor(CLOCK.now() / 1000))
  const signature = createHmac('sha256', 's').update(`v0:${timestamp}:${body}`).digest('hex')
  const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` }
  return new Request('https://host.example/slack', { method: 'POST', body, headers })
}

/** @param {string} name @param {string} text */
function fileWith(name, text) {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** Stands in for Slack: it replies with a text. */
let reply = ''
const server = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  response.end(reply)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
server.unref()
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const sink = createSlackSink({ botToken: 'b', apiUrl: `http://127.0.0.1:${port}/`, hasButtons: true })
const SIGNAL = new AbortController().signal
const ENDING = /** @type {any} */ ({ state: 'answered', answeredBy: 'ada' })
const notice = /** @type {any} */ ({
  ...SENT.subject,
  question: { toolCallId: 'c', questions: ASKED },
  link: 'https://app.example/#a',
})

const chatSink = createChatSink(
  /** @type {any} */ ({
    chat: {
      onAction() {},
      onModalSubmit() {},
      initialize: async () => {},
      getAdapter: () => ({ name: 'telegram', editMessage: async () => {} }),
    },
    inbox: {},
    authorize: () => null,
  }),
)

/** @type {Parser[]} */
export const NOTICES = [
  {
    name: 'notices: settings',
    isSlow: true,
    kind: 'json',
    samples: [{ ...SETTINGS, sinks: usable }, SETTINGS],
    refuses: ['INVALID_FILE'],
    // The settings name a file of a secret: the system may refuse its name.
    mayThrow: (error) => 'syscall' in error,
    read: (text) => readNoticeSettings(fileWith('settings.json', text), ENV),
  },
  {
    name: 'notices: rules',
    kind: 'value',
    samples: [RULES],
    refuses: ['INVALID_REQUEST'],
    read: (value) => checkRules(value, ['mail', 'desktop', 'slack'], 'These are no rules'),
  },
  {
    name: 'notices: a time zone',
    kind: 'text',
    samples: ['Europe/Berlin', 'UTC', '+01:00'],
    refuses: [],
    read: (timeZone) =>
      isTimeZone(timeZone) && isQuiet({ from: '22:00', to: '07:00', timeZone }, CLOCK.now()),
  },
  {
    name: 'notices: a push subscription',
    kind: 'value',
    samples: [SUBSCRIPTION],
    refuses: ['INVALID_REQUEST'],
    read: (value) => parseSubscription(value, {}),
  },
  {
    name: 'notices: the address of a push service',
    kind: 'text',
    samples: ['https://push.example/a', 'https://[::ffff:127.0.0.1]/', 'https://10.0.0.1:8/'],
    words: ['[', ']', ':', '@', '%', '::', '127.0.0.1', '0x7f', '\\'],
    refuses: [],
    read: (text) => checkEndpoint(text, {}),
  },
  {
    name: 'notices: a stored subscription',
    isSlow: true,
    kind: 'json',
    samples: [{ person: 'ada', browser: SUBSCRIPTION, ...TIMES }],
    refuses: [],
    async read(claims) {
      fileWith(join('browsers', browserName), signed(claims, 'sandagent-push+jwt'))
      await browsers.of('ada')
    },
  },
  {
    name: 'notices: a request of a browser',
    kind: 'json',
    samples: [SUBSCRIPTION, { endpoint: 'https://push.example/a' }],
    refuses: [],
    async read(body, random) {
      const address = `https://host.example/${random.pick(['subscribe', 'unsubscribe'])}`
      await push(
        new Request(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      )
    },
  },
  {
    name: 'notices: keys for web push',
    isSlow: true,
    kind: 'json',
    samples: [{ publicKey: 'a', privateKey: 'b' }],
    refuses: ['INVALID_FILE'],
    read: (text) => loadVapidKeys(fileWith('vapid.json', text)),
  },
  {
    name: 'notices: a sent notice',
    isSlow: true,
    kind: 'json',
    samples: [SENT, { ...SENT, message: '1' }],
    refuses: [],
    async read(text) {
      fileWith(join('sent', sentName), text)
      await sent.all()
    },
  },
  {
    name: 'notices: which question a button is for',
    kind: 'json',
    samples: [REF],
    refuses: [],
    read: (text) => parseRef(text),
  },
  {
    name: 'notices: a button of a chat',
    kind: 'json',
    samples: [{ id: 'ask:p5', value: '0123456789abcdef0123456789abcdef' }],
    refuses: [],
    read(text) {
      const { id, value } = Object(JSON.parse(text))
      // Adapters give texts.
      if (typeof id !== 'string' || typeof value !== 'string') return
      parseButton(id, value)
      parseRefText(`${value} ${id}`)
    },
    mayThrow: (error) => error instanceof SyntaxError,
  },
  {
    name: 'notices: where a message of a chat is',
    kind: 'value',
    samples: [
      { adapter: 'telegram', thread: 'telegram:42', message: '42:1', headline: 'An agent has a question' },
    ],
    refuses: ['INVALID_FILE'],
    read: (value) =>
      chatSink.settle?.(/** @type {any} */ ({}), /** @type {any} */ (value), ENDING, { signal: SIGNAL }),
  },
  {
    name: 'notices: a form of Slack',
    kind: 'value',
    samples: [FORM],
    refuses: ['INVALID_REQUEST'],
    read(value) {
      responsesIn(ASKED, parseWith(formState, value, 'INVALID_REQUEST', 'This is no form'))
    },
  },
  {
    name: 'notices: a message of Slack',
    kind: 'json',
    samples: [
      {
        type: 'block_actions',
        user: { id: 'U1' },
        trigger_id: 't',
        actions: [{ action_id: 'sandagent-form', value: JSON.stringify(REF) }],
      },
      {
        type: 'view_submission',
        user: { id: 'U1' },
        view: { callback_id: 'sandagent-answer', private_metadata: JSON.stringify(REF), state: FORM },
      },
    ],
    refuses: ['FORBIDDEN', 'NOT_FOUND'],
    async read(payload, random) {
      const body = random.chance(0.9) ? new URLSearchParams({ payload }).toString() : payload
      const { status } = await slack(fromSlack(body))
      if (status >= 500) throw new Error(`It replies with ${status}`)
    },
  },
  {
    name: 'notices: a reply of Slack',
    isSlow: true,
    kind: 'json',
    samples: [
      { ok: true, channel: 'C1', ts: '1.2' },
      { ok: false, error: 'channel_not_found' },
    ],
    refuses: ['UNREACHABLE', 'FORBIDDEN'],
    read(text) {
      reply = text
      return sink.send(notice, { signal: SIGNAL })
    },
  },
  {
    name: 'notices: where a message of Slack is',
    isSlow: true,
    kind: 'value',
    samples: [SENT.message],
    refuses: ['INVALID_FILE'],
    read(message) {
      reply = '{"ok":true}'
      return sink.settle?.(SENT.subject, message, ENDING, { signal: SIGNAL })
    },
  },
]
