import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { listen, post } from '@sandagent/fixtures/listen.ts'
import { createInbox } from '@sandagent/inbox'
import { createSlackHandler } from '@sandagent/notices'
import { createAnswerHandler, toNodeHandler } from '@sandagent/sdk'
import compression from 'compression'
import express, { type RequestHandler } from 'express'
import session from 'express-session'
import morgan from 'morgan'
import nextCompression from 'next/dist/compiled/compression/index.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answersBehind, askingSandbox, asPagesApi, EXPRESSES, type Express } from './hosts.ts'

const answer = { toolCallId: 'toolu_1', status: 'completed', responses: { q1: { selected: ['A'] } } }
const stored = { success: true, status: 'completed', revision: 1 }

/** What stands between a server and its route. The first three replace `writeHead`, by on-headers 1.0.2. */
const MIDDLEWARE: [string, (express: Express) => RequestHandler[]][] = [
  ['compression 1.7', () => [compression()]],
  ['express-session 1.18', () => [session({ secret: 'secret', resave: false, saveUninitialized: true })]],
  ['morgan 1.10', () => [morgan('tiny', { stream: { write() {} } })]],
  ['the compression of Next.js', () => [nextCompression()]],
]

/** What a program in front of the route may do with its body. */
const PARSERS: [string, (express: Express) => RequestHandler[]][] = [
  ['urlencoded()', (express) => [express.urlencoded({ extended: true })]],
  ['text()', (express) => [express.text()]],
  ['text() of every type', (express) => [express.text({ type: '*/*' })]],
  ['raw() of every type', (express) => [express.raw({ type: '*/*' })]],
  ['json()', (express) => [express.json()]],
  ['json() of another type', (express) => [express.json({ type: 'application/csp-report' })]],
  [
    'all of them',
    (express) => [express.json(), express.urlencoded({ extended: true }), express.text(), express.raw()],
  ],
]

const everywhere = <T>(cases: [string, T][]): [string, string, Express, T][] =>
  EXPRESSES.flatMap(([name, express]) =>
    cases.map(([what, made]): [string, string, Express, T] => [what, name, express, made]),
  )

/** The method, which `fetch` may refuse to send, and its status. */
const statusOf = (url: string, method: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { method }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end()
  })

/** The first event of a stream. */
async function firstEvent(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let seen = ''
  for await (const chunk of response.body ?? []) {
    seen += decoder.decode(chunk, { stream: true })
    if (seen.includes('data: ')) break
  }
  return seen
}

async function expectServed(url: string): Promise<void> {
  const shown = await fetch(`${url}?toolCallId=toolu_1`)
  expect(shown.headers.get('content-type')).toBe('application/json')
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await shown.json()).toMatchObject({ toolCallId: 'toolu_1', state: 'open' })

  const stream = await fetch(`${url}?toolCallId=toolu_1`, { headers: { accept: 'text/event-stream' } })
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(stream.headers.get('content-encoding')).toBeNull()
  expect(await firstEvent(stream)).toContain('"toolCallId":"toolu_1"')

  expect((await post(url, { ...answer, status: 'wrong' })).status).toBe(400)
  expect(await (await post(url, answer)).json()).toEqual(stored)
}

describe('the answer API behind middleware', () => {
  it.each(everywhere(MIDDLEWARE))(
    'keeps its headers and streams behind %s under %s',
    async (_, __, express, made) => {
      await expectServed(await answersBehind(express, made(express)))
    },
  )

  it.each(everywhere(PARSERS))('reads an answer behind %s under %s', async (_, __, express, made) => {
    await expectServed(await answersBehind(express, made(express)))
  })

  it.each([
    ['with its body parser', {}],
    ['without its body parser', { api: { bodyParser: false } }],
  ])('is served as a file of pages/api of Next.js %s', async (_, config) => {
    const handler = toNodeHandler(createAnswerHandler({ sandbox: await askingSandbox() }))
    const app = express().use(nextCompression(), asPagesApi(handler, config))
    await expectServed(`${await listen(app)}/api/answer`)
  })

  it.each(EXPRESSES)('takes the raw body that a host keeps for signatures, under %s', async (_, express) => {
    const verify = (request: object, __: unknown, rawBody: Buffer) => void Object.assign(request, { rawBody })
    const seen: string[] = []
    const note = toNodeHandler(async (request) => {
      seen.push(await request.text())
      return new Response()
    })
    const url = await answersBehind(
      express,
      [express.json({ verify }), express.urlencoded({ verify, extended: true })],
      note,
    )
    await post(url, '{ "a":  1 }')
    await fetch(url, { method: 'POST', body: new URLSearchParams({ payload: '{"a": [1]}' }) })
    expect(seen).toEqual(['{ "a":  1 }', 'payload=%7B%22a%22%3A+%5B1%5D%7D'])
  })

  it.each(EXPRESSES)(
    'knows a request of Slack by its raw body, behind urlencoded() under %s',
    async (_, express) => {
      const handler = createSlackHandler({
        botToken: 'xoxb-1',
        signingSecret: 'secret',
        inbox: createInbox({ sandboxes: [] }),
        authorize: () => null,
      })
      const verify = (request: object, __: unknown, rawBody: Buffer) =>
        void Object.assign(request, { rawBody })
      const url = await answersBehind(
        express,
        [express.urlencoded({ verify, extended: true })],
        toNodeHandler(handler),
      )
      const body = `payload=${encodeURIComponent('{ "type": "shortcut" }')}`
      const timestamp = `${Math.floor(Date.now() / 1000)}`
      const send = async (secret: string): Promise<number> => {
        const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': `v0=${signature}`,
        }
        return (await fetch(url, { method: 'POST', headers, body })).status
      }
      expect([await send('secret'), await send('guessed')]).toEqual([200, 401])
    },
  )

  it('says what to change when something has read the body and kept nothing', async () => {
    const logged = quietLog()
    const url = await answersBehind(EXPRESSES[1][1], [
      (request, _response, next) => void request.resume().once('end', next),
    ])
    expect((await post(url, answer)).status).toBe(500)
    expect(logged.mock.calls.flat().join()).toMatch(/has read the body.*before/)
  })

  it('replies to HEAD with the headers of GET, also of a stream, which ends', async () => {
    const url = await answersBehind(EXPRESSES[1][1], [])
    for (const accept of ['application/json', 'text/event-stream']) {
      const response = await fetch(`${url}?toolCallId=toolu_1`, { method: 'HEAD', headers: { accept } })
      expect(response.headers.get('content-type')).toContain(accept)
      expect(await response.text()).toBe('')
    }
  })

  it.each(EXPRESSES)('replies 405 to TRACE behind json() under %s, and goes on', async (_, express) => {
    const url = await answersBehind(express, [express.json()])
    expect(await statusOf(url, 'TRACE')).toBe(405)
    expect((await post(url, answer)).status).toBe(200)
  })

  it.each(EXPRESSES)(
    'replies 500 to what a handler cannot do under %s, logs it, and goes on',
    async (_, express) => {
      const logged = quietLog()
      let calls = 0
      const handler = toNodeHandler(async () => {
        if (calls++ === 0) throw new Error('The disk is gone')
        return new Response('here')
      })
      const url = await answersBehind(express, [], handler)
      expect((await fetch(url)).status).toBe(500)
      expect(logged.mock.calls.flat().join()).toContain('The disk is gone')
      expect(await (await fetch(url)).text()).toBe('here')
    },
  )
})

function quietLog() {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  return logged
}
