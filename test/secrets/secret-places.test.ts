import { inspect } from 'node:util'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-web'
import { AskError, type Outcome, type QuestionRecord, questionDigestOf } from '@sandagent/core/internal'
import { openSecret, sealSecret } from '@sandagent/core/secret'
import { listen } from '@sandagent/fixtures/listen.ts'
import { startPushService } from '@sandagent/fixtures/servers/push-service.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox, createInboxHandler } from '@sandagent/inbox'
import { createWebhookSink, startNotices } from '@sandagent/notices'
import { createWebPush } from '@sandagent/notices/web-push'
import { askUser, receiptsWritten, takeSecret } from '@sandagent/runner'
import {
  createAnswerHandler,
  createSigningKey,
  listQuestions,
  parseSigningKeys,
  submitAnswer,
} from '@sandagent/sdk'
import { registerTelemetry } from '@sandagent/telemetry'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWorkspace } from '../support/workspace.ts'
import { formsIn } from './plain-forms.ts'

const SECRET = 'Tr0ub4dor&3 "ключ"/+='

/** Reads a stream of events until the test ends. */
function readAll(response: Response, heard: string[]): void {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel())
  const decoder = new TextDecoder()
  void (async () => {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      heard.push(decoder.decode(read.value, { stream: true }))
  })().catch(() => {})
}

/** A question for a secret, and everything that its host tells anybody. */
async function asked() {
  vi.stubEnv('XDG_STATE_HOME', await tempDir())
  const { sandbox, channel } = await createWorkspace()
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  onTestFinished(registerTelemetry({ tracerProvider }))
  const told: string[] = []
  const tell = (...given: unknown[]) => void told.push(inspect(given, { depth: 20, maxStringLength: null }))
  let noteAsked: (record: QuestionRecord) => void = () => {}
  const record = new Promise<QuestionRecord>((resolve) => {
    noteAsked = resolve
  })
  const request = {
    toolCallId: 'call_1',
    runId: 'run_1',
    questions: [{ id: 'token', question: 'The token?', secret: true }],
  }
  const outcome: Promise<Outcome> = askUser(channel, request, { onAsked: noteAsked, onWarning: tell })
  return { sandbox, exporter, told, tell, record: await record, outcome }
}

async function sealed(record: QuestionRecord): Promise<string> {
  const { secret } = record.questions[0] ?? {}
  const place = { toolCallId: 'call_1', questionId: 'token', questionDigest: questionDigestOf(record) }
  return sealSecret(SECRET, (secret as { publicKey: string }).publicKey, place)
}

it('a secret is in no span, no event of a stream, no push message, no notice, no list and no decision', async () => {
  const { sandbox, exporter, told, tell, record, outcome } = await asked()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const sandboxes = [{ id: 'shop', name: 'The shop', sandbox }]
  const host = { signingKeys, onWarning: tell, onDecision: tell }
  const inbox = createInbox({ sandboxes, ...host })
  const answers = createAnswerHandler({
    sandbox,
    authorize: () => ({ answeredBy: 'Ada' }),
    onError: tell,
    ...host,
  })
  const listed = createInboxHandler({
    sandboxes,
    authorize: () => ({ answeredBy: 'Ada' }),
    onError: tell,
    ...host,
  })

  // Streams: of the question, of all that waits, and of the inbox.
  const streams: string[] = []
  const events = { headers: { accept: 'text/event-stream' } }
  for (const query of ['?toolCallId=call_1', ''])
    readAll(await answers.GET(new Request(`http://localhost/api/answer${query}`, events)), streams)
  readAll(await listed(new Request('http://localhost/api/inbox/questions', events)), streams)

  // Notices: a webhook that may have all words, and a browser that reads what is pushed.
  const hooked: string[] = []
  const url = await listen(async (request, response) => {
    for await (const chunk of request) hooked.push(String(chunk))
    response.end()
  })
  const push = await createWebPush({
    folder: await tempDir(),
    origin: 'http://localhost',
    signingKeys,
    personIn: async () => 'Ada',
    allowLoopback: true,
  })
  const keyed = await push.handler(new Request('http://localhost/api/push/key'))
  const { publicKey } = (await keyed.json()) as { publicKey: string }
  const browser = (await startPushService()).subscribe(publicKey)
  const subscribed = await push.handler(
    new Request('http://localhost/api/push/subscribe', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...browser.subscription, showText: true }),
    }),
  )
  expect(subscribed.status).toBe(200)
  const stop = new AbortController()
  const notices = startNotices({
    inbox,
    folder: await tempDir(),
    sinks: {
      hook: createWebhookSink({ url, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
      push: push.sink,
    },
    people: { Ada: { addresses: { hook: { showText: true }, push: { showText: true } } } },
    signal: stop.signal,
    onWarning: tell,
  })
  onTestFinished(async () => {
    stop.abort()
    await notices
  })
  await vi.waitFor(() => expect([hooked.length, browser.messages.length]).toEqual([1, 1]))

  // The plain text is refused, and nobody repeats it.
  const post = (responses: object, status = 'completed') =>
    answers.POST(
      new Request('http://localhost/api/answer', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ toolCallId: 'call_1', status, responses }),
      }),
    )
  for (const response of [
    { selected: [], freeText: SECRET },
    { selected: [SECRET] },
    { selected: [], sealed: SECRET },
    { selected: [], sealed: `${(await sealed(record)).slice(0, 16)}${SECRET}` },
  ]) {
    const refused = await post({ token: response })
    expect(refused.status).toBe(400)
    tell(await refused.text())
  }
  // A draft has none, and nobody can send what another has only typed.
  const draft = await post({ token: { selected: [], sealed: await sealed(record) } }, 'pending')
  expect([draft.status, await draft.text()]).toEqual([400, expect.stringContaining('no secret in a draft')])
  expect((await post({ token: { selected: [], sealed: await sealed(record) } })).status).toBe(200)
  const given = await outcome
  await receiptsWritten()
  await vi.waitFor(() => expect([hooked.length, browser.messages.length]).toEqual([2, 2]))
  await vi.waitFor(() => expect(streams.join('')).toContain('"answered"'))
  tell(given, await listQuestions(sandbox, { all: true }), await inbox.history())

  const places = {
    spans: exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    streams: streams.join(''),
    pushed: browser.messages.map(({ text }) => text),
    hooked,
    told,
    report: process.report?.getReport(),
  }
  expect(places.spans.length).toBeGreaterThan(2)
  for (const [place, content] of Object.entries(places))
    expect(
      formsIn(inspect(content, { depth: 20, maxStringLength: null, maxArrayLength: null }), SECRET),
      place,
    ).toEqual([])
  expect(await takeSecret(given.secrets?.token ?? '')).toBe(SECRET)
})

it('no error repeats a secret, nor what was in its place', async () => {
  const { sandbox, record, outcome } = await asked()
  const errors: unknown[] = []
  const keep = (error: unknown): void => void errors.push(error)
  const send = (response: object) =>
    submitAnswer(sandbox, {
      toolCallId: 'call_1',
      status: 'completed',
      responses: { token: { selected: [], source: 'human', ...response } },
    })
  await send({ freeText: SECRET }).catch(keep)
  await send({ selected: [SECRET] }).catch(keep)
  await send({ sealed: SECRET }).catch(keep)
  await send({ secret: SECRET }).catch(keep)
  await takeSecret(SECRET).catch(keep)
  const { secret } = record.questions[0] ?? {}
  const { publicKey } = secret as { publicKey: string }
  const place = { toolCallId: 'call_1', questionId: 'token', questionDigest: questionDigestOf(record) }
  await sealSecret(SECRET.repeat(3000), publicKey, place).catch(keep)
  await openSecret(SECRET, publicKey, place).catch(keep)
  expect(errors.length).toBeGreaterThan(5)
  for (const error of errors) {
    expect(error).toBeInstanceOf(AskError)
    expect(formsIn(inspect(error, { depth: 20, maxStringLength: null }), SECRET)).toEqual([])
    expect(formsIn(JSON.stringify((error as AskError).facts), SECRET)).toEqual([])
  }
  await send({ sealed: await sealed(record) })
  await outcome
  await receiptsWritten()
})
