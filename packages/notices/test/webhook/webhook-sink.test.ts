import { text } from 'node:stream/consumers'
import type { AskError } from '@sandagent/core'
import { freePort, listen } from '@sandagent/fixtures/listen.ts'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { createWebhookSink } from '../../src/webhook/webhook-sink.ts'
import { exampleNotice, patience, SECRET } from '../example-notice.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

/** A receiver that verifies as its users do, and replies with the given statuses, one after the other. */
async function receiver(statuses: readonly (readonly [number, Record<string, string>?])[] = []) {
  const left = [...statuses]
  const received: { id: string; body: string; message: unknown }[] = []
  const url = await listen(async (request, response) => {
    const body = await text(request)
    const message = new Webhook(secret).verify(body, request.headers as Record<string, string>)
    received.push({ id: String(request.headers['webhook-id']), body, message })
    const [status = 204, headers = {}] = left.shift() ?? []
    response.writeHead(status, headers).end()
  })
  return { received, sink: createWebhookSink({ url: `${url}/hook`, secret }) }
}

const failureOf = (promise: Promise<unknown>): Promise<AskError> =>
  promise.then(
    () => expect.unreachable(),
    (error: AskError) => error,
  )

it('a webhook tells of a question, signed, with the id of the notice, and without the words', async () => {
  const { sink, received } = await receiver()
  const notice = exampleNotice()
  await sink.send(notice, { signal: patience })
  expect(received).toMatchObject([
    {
      id: notice.id,
      message: {
        type: 'question.opened',
        data: {
          id: notice.id,
          sandboxId: 'shop',
          toolCallId: 'toolu_1',
          person: 'Ada',
          text: 'An agent in The shop has a question',
          link: 'https://inbox.example.com/answer#token=t',
        },
      },
    },
  ])
  expect(received[0]?.body).not.toContain(SECRET)
})

it('a webhook has the questions if the words may leave the machine', async () => {
  const { sink, received } = await receiver()
  const notice = exampleNotice({ isTextAllowed: true })
  await sink.send(notice, { signal: patience })
  expect(received).toMatchObject([{ message: { data: { questions: notice.question.questions } } }])
})

it('a webhook tells that a question has ended, and by whom', async () => {
  const { sink, received } = await receiver()
  await sink.settle?.(
    exampleNotice(),
    undefined,
    { state: 'answered', answeredBy: 'Ben' },
    { signal: patience },
  )
  expect(received).toMatchObject([
    {
      id: `${exampleNotice().id}-ended`,
      message: { type: 'question.ended', data: { state: 'answered', answeredBy: 'Ben', person: 'Ada' } },
    },
  ])
  expect(received[0]?.body).not.toContain(SECRET)
})

it.each([
  [500, {}, 'UNREACHABLE', undefined],
  [503, { 'retry-after': '120' }, 'UNREACHABLE', 120_000],
  [429, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 'RATE_LIMITED', 0],
  [410, {}, 'GONE', undefined],
  [302, { location: 'https://elsewhere.example.com' }, 'UNREACHABLE', undefined],
] as const)(
  'the status %i with %j is a failure with the code %s',
  async (status, headers, code, retryAfterMs) => {
    const { sink, received } = await receiver([[status, headers]])
    const failure = await failureOf(sink.send(exampleNotice(), { signal: patience }))
    expect(failure).toMatchObject({ code, facts: { status } })
    expect(failure.facts.retryAfterMs).toBe(retryAfterMs)
    expect(received).toHaveLength(1)
  },
)

it('a receiver that is not there is a failure that may pass', async () => {
  const sink = createWebhookSink({ url: `http://127.0.0.1:${await freePort()}`, secret })
  expect(await failureOf(sink.send(exampleNotice(), { signal: patience }))).toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

it.each([
  ['http://example.com/hook', secret, 'url: expected an address that begins with https://'],
  ['no address', secret, 'url: expected an address that begins with https://'],
  ['https://example.com/hook', 'whsec_c2hvcnQ=', 'secret: expected whsec_ and at least 24 bytes in Base64'],
])('a webhook to %s with the secret %s is refused', (url, given, message) => {
  expect(() => createWebhookSink({ url, secret: given })).toThrow(message)
})
