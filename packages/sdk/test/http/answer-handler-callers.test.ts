import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import express from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type AnswerHandlerOptions,
  createAnswerHandler,
  createAnswerLink,
  createSigningKey,
  type Decision,
  LOOPBACK_HOSTS,
  type LocalSandbox,
  parseSigningKeys,
  submitAnswer,
  toNodeHandler,
} from '../../src/index.ts'
import { post, serve } from '../support/serve.ts'
import {
  answerFile,
  ask,
  FEATURES,
  LANGUAGE,
  picked,
  refusalOf,
  settle,
  tempSandbox,
} from '../support/temp-sandbox.ts'

const python = { toolCallId: 'toolu_1', answers: { 'Which language?': 'Python' } }
const typescript = { toolCallId: 'toolu_1', answers: { 'Which language?': 'TypeScript' } }

interface Served {
  url: string
  sandbox: LocalSandbox
  decisions: Decision[]
}

/** The answer API of a sandbox, where `toolu_1` asks for a language, at a URL. */
async function serveAnswers(options: Partial<AnswerHandlerOptions> = {}): Promise<Served> {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1')
  const decisions: Decision[] = []
  const handler = createAnswerHandler({
    sandbox,
    onError(error) {
      throw error
    },
    onDecision: (decision) => decisions.push(decision),
    ...options,
  })
  return { url: await serve(toNodeHandler(handler)), sandbox, decisions }
}

/** Sends any headers, as `fetch` does not let pages do. */
function send(
  url: string,
  { method = 'POST', body = JSON.stringify(python), ...headers }: Record<string, string>,
): Promise<{ status: number; code: string | undefined }> {
  return new Promise((resolve, reject) => {
    const type = method === 'POST' ? { 'content-type': 'application/json' } : {}
    const request = httpRequest(url, { method, headers: { ...type, ...headers } })
    request.once('error', reject)
    request.once('response', async (response) => {
      const reply = await text(response)
      resolve({ status: response.statusCode ?? 0, code: JSON.parse(reply).error?.code })
    })
    request.end(method === 'POST' ? body : undefined)
  })
}

const codeOf = async (response: Response): Promise<{ status: number; code: string }> => ({
  status: response.status,
  code: (await response.json()).error.code,
})

const hostOf = (url: string): string => new URL(url).host
const nothingStored = async ({ sandbox }: Served): Promise<void> =>
  expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])

describe('other web sites', () => {
  it('cannot send an answer, by form or by script', async () => {
    const served = await serveAnswers({ authorize: () => true })
    const { url } = served
    const crossSite = { status: 403, code: 'CROSS_SITE' }
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'file://', host: 'localhost' },
      { origin: 'https://\u00df\u00b4' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: `http://${hostOf(url)}`, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
      { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    ])
      expect(await send(url, headers as Record<string, string>)).toEqual(crossSite)
    expect(await send(url, { method: 'GET', 'sec-fetch-site': 'cross-site' })).toEqual(crossSite)
    await nothingStored(served)
  })

  it('cannot send a form that is no JSON, even from a browser that says nothing of sites', async () => {
    const { url } = await serveAnswers({ authorize: () => true })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])
      expect(await send(url, { 'content-type': type })).toEqual({
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      })
  })

  it('may where they are named', async () => {
    const { url } = await serveAnswers({ authorize: () => true, allowedOrigins: ['https://app.example'] })
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(await send(url, { ...headers, origin: 'https://app.example' })).toMatchObject({ status: 200 })
    expect(await send(url, { ...headers, origin: 'https://app.example.evil' })).toMatchObject({ status: 403 })
  })

  it('are told from the own one, also behind a proxy that speaks TLS', async () => {
    const { url } = await serveAnswers({ authorize: () => true })
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: `http://${hostOf(url)}` },
      { 'sec-fetch-site': 'none' },
      { origin: `http://${hostOf(url)}` },
      { origin: `https://${hostOf(url)}` },
      { origin: 'https://app.example', host: 'app.example' },
      { origin: 'https://app.example', host: 'app.example:443' },
      {},
    ])
      expect(await send(url, headers as Record<string, string>)).toMatchObject({ status: 200 })
  })
})

describe('a name that was pointed at this machine', () => {
  it.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.',
    '10.0.0.1',
    'a b',
    '[',
  ])('is refused where everybody on this machine may answer: %j', async (host) => {
    const served = await serveAnswers()
    for (const method of ['GET', 'POST'])
      expect(await send(served.url, { method, host })).toEqual({ status: 403, code: 'WRONG_HOST' })
    await nothingStored(served)
  })

  it('is refused where hosts are named', async () => {
    const { url } = await serveAnswers({
      authorize: () => true,
      allowedHosts: [...LOOPBACK_HOSTS, 'box.lan'],
    })
    expect(await send(url, { host: 'evil.example' })).toEqual({ status: 403, code: 'WRONG_HOST' })
    expect(await send(url, { host: 'BOX.lan:8080' })).toMatchObject({ status: 200 })
  })

  it.each(['localhost:3000', '127.0.0.1', '[::1]:80', 'LocalHost'])(
    'is not one of its own: %s',
    async (host) => {
      const { url } = await serveAnswers()
      expect(await send(url, { host })).toMatchObject({ status: 200 })
    },
  )
})

describe('without authorize', () => {
  const local = new Request('http://localhost/api/answer')
  const refused = { status: 403, code: 'FORBIDDEN' }
  /** An address of this machine that is not of its loopback. */
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address
  const forged = {
    host: 'localhost',
    'x-forwarded-for': '127.0.0.1',
    'x-real-ip': '127.0.0.1',
    forwarded: 'for=127.0.0.1;host=localhost',
  }

  it.skipIf(!outside)(
    'a caller from the network neither lists nor answers, whatever its headers say',
    async () => {
      const sandbox = await tempSandbox()
      await ask(sandbox, 'toolu_1')
      const handler = createAnswerHandler({ sandbox })
      const app = express().set('trust proxy', true).use('/express', express.json(), toNodeHandler(handler))
      const server = createServer(app.use(toNodeHandler(handler))).listen(0, '::')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      for (const path of ['/', '/express', '/?toolCallId=toolu_1'])
        for (const method of ['GET', 'POST'])
          expect(await send(`http://${outside}:${port}${path}`, { method, ...forged })).toEqual(refused)
      expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
      // IPv4 within IPv6, as a server on both sees it.
      expect(await send(`http://127.0.0.1:${port}/express`, {})).toMatchObject({ status: 200 })
      expect(await send(`http://[::1]:${port}/`, {})).toMatchObject({ status: 200 })
    },
  )

  it('a host that does not know who asks refuses, and names what would help', async () => {
    const sandbox = await tempSandbox()
    const { GET, POST } = createAnswerHandler({ sandbox })
    const response = await GET(local)
    expect(response.status).toBe(403)
    expect((await response.json()).error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/does not know who asks.*`authorize`.*`toNodeHandler`.*`peerAddress`/),
    })
    const post = new Request(local, { method: 'POST', headers: forged, body: JSON.stringify(python) })
    expect(await codeOf(await POST(post))).toEqual(refused)
  })

  it.each([
    ['127.0.0.1', 200],
    ['127.8.9.10', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['128.0.0.1', 403],
    ['::ffff:192.0.2.1', 403],
    ['fe80::1', 403],
    ['localhost', 403],
    ['', 403],
    [undefined, 403],
  ])('a host that says who asks, serves this machine alone: %s', async (address, status) => {
    const { GET } = createAnswerHandler({ sandbox: await tempSandbox(), peerAddress: () => address })
    expect((await GET(local)).status).toBe(status)
  })

  it('a request over a socket is from where that leads, whatever peerAddress says', async () => {
    const { url } = await serveAnswers({ peerAddress: () => '192.0.2.1' })
    expect(await send(url, {})).toMatchObject({ status: 200 })
  })
})

describe('in production', () => {
  it('the handler does not start without authorize', async () => {
    const sandbox = await tempSandbox()
    vi.stubEnv('NODE_ENV', 'production')
    try {
      expect(() => createAnswerHandler({ sandbox })).toThrow(/authorize/)
      expect(() => createAnswerHandler({ sandbox, authorize: () => false })).not.toThrow()
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('the questions of another session', () => {
  it('are neither shown nor answered', async () => {
    const served = await serveAnswers({ authorize: (request) => request.headers.get('x-user') === 'ada' })
    const refused = { status: 403, code: 'FORBIDDEN' }
    const { url } = served
    expect(await send(url, { 'x-user': 'bob' })).toEqual(refused)
    expect(await send(`${url}?toolCallId=toolu_1`, { method: 'GET', 'x-user': 'bob' })).toEqual(refused)
    await nothingStored(served)
  })
})

describe('a question that is swapped while its answer is on the way', () => {
  const swaps: [string, object][] = [
    ['asks something else', { questions: [{ id: 'q1', ...FEATURES }] }],
    ['belongs to another run', { runId: 'run-2' }],
    ['is another asking of the same', { nonce: 'another' }],
  ]
  it.each(swaps)('is not answered by whoever was admitted to the one before: it %s', async (_, swap) => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const path = '.sandagent/questions/toolu_1.json'
    const { POST } = createAnswerHandler({
      sandbox,
      async authorize(_, { record }) {
        await sandbox.files.writeAtomic(path, JSON.stringify({ ...record, ...swap }))
        return record?.runId === 'run-1'
      },
    })
    const response = await POST(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ toolCallId: 'toolu_1', responses: { q1: { skipped: true } } }),
      }),
    )
    expect(response.status).toBe(409)
    const reply = await response.json()
    expect(reply).toMatchObject({ error: { code: 'CHANGED' } })
    expect(reply).not.toHaveProperty('question')
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
  })

  it('is not answered either where nothing was recorded before', async () => {
    const sandbox = await tempSandbox()
    const { POST } = createAnswerHandler({
      sandbox,
      async authorize(_, { toolCallId, record }) {
        await ask(sandbox, toolCallId)
        return record === undefined
      },
    })
    const body = JSON.stringify({ ...python, questions: [LANGUAGE] })
    const headers = { 'content-type': 'application/json' }
    const response = await POST(new Request('http://localhost/', { method: 'POST', headers, body }))
    expect(await codeOf(response)).toEqual({ status: 409, code: 'CHANGED' })
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
  })
})

describe('what a person did not see', () => {
  it('is not what they answer', async () => {
    const { url, sandbox } = await serveAnswers()
    const seen = await (await fetch(`${url}?toolCallId=toolu_1`)).json()
    const edited = { ...LANGUAGE, question: 'Delete everything?' }
    const path = '.sandagent/questions/toolu_1.json'
    const record = JSON.parse((await sandbox.files.read(path)) as string)
    await sandbox.files.writeAtomic(path, JSON.stringify({ ...record, questions: [{ id: 'q1', ...edited }] }))
    const response = await post(url, {
      toolCallId: 'toolu_1',
      responses: { q1: { selected: ['Python'] } },
      questionDigest: seen.questionDigest,
    })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({
      error: { code: 'CHANGED' },
      question: { questions: [{ question: 'Delete everything?' }] },
    })
    await sandbox.files.writeAtomic(path, JSON.stringify(record))
    expect((await post(url, { ...python, questionDigest: seen.questionDigest })).status).toBe(200)
  })
})

describe('too many requests for one question', () => {
  it('are refused for a moment, and no other question with them', async () => {
    const clock = createFakeClock()
    const { url, sandbox } = await serveAnswers({ clock })
    await ask(sandbox, 'toolu_2', [FEATURES])
    const draft = { ...python, status: 'pending' }
    for (let count = 0; count < 60; count++) expect((await post(url, draft)).status).toBe(200)
    const refused = await post(url, draft)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await codeOf(refused)).toEqual({ status: 429, code: 'RATE_LIMITED' })
    expect((await post(url, { toolCallId: 'toolu_2', responses: {}, status: 'pending' })).status).toBe(200)
    clock.advance(200)
    expect((await post(url, draft)).status).toBe(200)
    expect((await post(url, draft)).status).toBe(429)
  })

  it('by callers who may not answer keep nobody from answering', async () => {
    const { url } = await serveAnswers({
      clock: createFakeClock(),
      authorize: (request) => request.headers.get('x-user') === 'ada',
    })
    for (let count = 0; count < 80; count++) expect((await post(url, python)).status).toBe(403)
    expect((await post(url, python, { 'x-user': 'ada' })).status).toBe(200)
  })
})

/** Waits until a stream shows the question. `whole` resolves to all that it shows until it ends. */
async function showing({ body }: Response): Promise<{ whole: Promise<string> }> {
  const decoder = new TextDecoder()
  let shown = ''
  const read = async (): Promise<string> => {
    for await (const piece of body as ReadableStream<Uint8Array>)
      shown += decoder.decode(piece, { stream: true })
    return shown
  }
  const whole = read()
  await vi.waitFor(() => expect(shown).toContain('Which language?'))
  return { whole }
}

describe('an event stream', () => {
  it('ends when its question becomes one that is not the caller’s', async () => {
    const { url, sandbox } = await serveAnswers({
      authorize: (_, { record }) => record?.runId === 'run-1',
    })
    const headers = { accept: 'text/event-stream' }
    const { whole } = await showing(await fetch(`${url}?toolCallId=toolu_1`, { headers }))
    await sandbox.files.remove('.sandagent/questions/toolu_1.json')
    await ask(sandbox, 'toolu_1', [FEATURES], { runId: 'run-2', nonce: 'another' })
    expect(await whole).not.toContain(FEATURES.question)
  })

  it('asks again within the async context of its request, where frameworks keep cookies', async () => {
    const cookies = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const { GET } = createAnswerHandler({
      sandbox,
      authorize() {
        seen.push(cookies.getStore())
        return true
      },
    })
    const request = new Request('http://localhost/?toolCallId=toolu_1', {
      headers: { accept: 'text/event-stream' },
    })
    const { body } = await cookies.run('session=1', () => GET(request))
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await vi.waitFor(async () =>
      expect(new TextDecoder().decode((await reader.read()).value)).toContain('data:'),
    )
    await reader.cancel()
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen)).toEqual(new Set(['session=1']))
  })

  it('that a link opened ends when the link is used up, and does not show the answer', async () => {
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const page = 'https://app.example'
    const { url, sandbox } = await serveAnswers({ signingKeys, links: { page } })
    const link = await createAnswerLink(sandbox, { toolCallId: 'toolu_1', page }, { signingKeys })
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const { whole } = await showing(await fetch(`${url}?toolCallId=toolu_1`, { headers }))
    await submitAnswer(sandbox, { ...python, status: 'pending' }, { signingKeys })
    await submitAnswer(sandbox, typescript, { answeredBy: 'ada', signingKeys })
    expect(await whole).not.toContain('ada')
  })
})

describe('an answer link', () => {
  const page = 'https://app.example/answer'

  async function serveLinks(options: Partial<AnswerHandlerOptions> = {}) {
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const served = await serveAnswers({ signingKeys, links: { page }, ...options })
    const linkFor = (more: Partial<Parameters<typeof createAnswerLink>[1]> = {}, by = signingKeys) =>
      createAnswerLink(
        served.sandbox,
        { toolCallId: 'toolu_1', page, answeredBy: 'ada', ...more },
        { signingKeys: by },
      )
    return { ...served, signingKeys, linkFor }
  }

  const bearer = (link: string): Record<string, string> => {
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
    return { authorization: `Bearer ${token}` }
  }

  it('leads to one question, says nothing to the server that is opened, and answers once', async () => {
    const { url, linkFor, sandbox } = await serveLinks()
    const link = new URL(await linkFor())
    expect(link.origin + link.pathname + link.search).toBe(page)
    expect(new URLSearchParams(link.hash.slice(1)).get('toolCallId')).toBe('toolu_1')
    const headers = bearer(link.href)
    const shown = await fetch(`${url}?toolCallId=toolu_1`, { headers })
    expect(await shown.json()).toMatchObject({ state: 'open' })
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
    expect((await post(url, { ...typescript, status: 'pending' }, headers)).status).toBe(200)
    expect((await post(url, python, headers)).status).toBe(200)
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status: 'completed', answeredBy: 'ada' })
  })

  it('has the roles that it was made with, for a policy', async () => {
    const policy = [{ roles: ['lead'], votes: 2 }]
    const { url, linkFor, sandbox } = await serveLinks({ policy })
    const shown = async (headers: Record<string, string>) =>
      (await fetch(`${url}?toolCallId=toolu_1`, { headers })).json()
    const guest = bearer(await linkFor({ roles: ['guest'] }))
    expect(await shown(guest)).toMatchObject({ mayAnswer: false })
    expect(await codeOf(await post(url, python, guest))).toEqual({ status: 403, code: 'NOT_ALLOWED' })
    const [ada, ben] = [
      bearer(await linkFor({ roles: ['lead', 'guest'] })),
      bearer(await linkFor({ roles: ['lead'], answeredBy: 'ben' })),
    ]
    expect(await shown(ada)).toMatchObject({ mayAnswer: true })
    expect((await post(url, python, ada)).status).toBe(200)
    expect((await post(url, python, ben)).status).toBe(200)
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      status: 'completed',
      votes: [
        { answeredBy: 'ada', roles: ['lead'] },
        { answeredBy: 'ben', roles: ['lead'] },
      ],
    })
    expect(await codeOf(await post(url, typescript, ada))).toEqual({ status: 410, code: 'LINK_USED' })
  })

  it('that was stolen and is used twice is refused, also after a restart of the host', async () => {
    const { url, linkFor, sandbox, signingKeys } = await serveLinks()
    const headers = bearer(await linkFor())
    await post(url, python, headers)
    const before = await answerFile(sandbox, 'toolu_1')
    const again = await serve(toNodeHandler(createAnswerHandler({ sandbox, signingKeys, links: { page } })))
    for (const api of [url, again]) {
      const used = { status: 410, code: 'LINK_USED' }
      expect(await codeOf(await post(api, typescript, headers))).toEqual(used)
      expect(await codeOf(await post(api, python, headers))).toEqual(used)
      expect(await codeOf(await fetch(`${api}?toolCallId=toolu_1`, { headers }))).toEqual(used)
    }
    expect(await answerFile(sandbox, 'toolu_1')).toEqual(before)
  })

  it('takes the same answer of the same browser again, whose reply was lost', async () => {
    const { url, linkFor } = await serveLinks()
    const headers = bearer(await linkFor())
    const answer = { ...python, status: 'completed' as const, browser: 'one' }
    const stored = await (await post(url, answer, headers)).json()
    expect(await (await post(url, answer, headers)).json()).toEqual(stored)
    for (const other of [
      { ...answer, browser: 'two' },
      { ...typescript, browser: 'one' },
    ])
      expect(await codeOf(await post(url, other, headers))).toEqual({ status: 410, code: 'LINK_USED' })
  })

  it('is used up also by an answer whose host was killed before it could publish it', async () => {
    const { url, linkFor, sandbox } = await serveLinks()
    const headers = bearer(await linkFor())
    await post(url, python, headers)
    // As it is between the claim and the file.
    await sandbox.files.remove('.sandagent/approvals/toolu_1.json')
    expect(await codeOf(await post(url, typescript, headers))).toEqual({ status: 410, code: 'LINK_USED' })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ answers: { 'Which language?': 'Python' } })
  })

  it('that is used by many at once answers once', async () => {
    const { url, linkFor } = await serveLinks()
    const headers = bearer(await linkFor())
    const answers = Array.from({ length: 12 }, (_, index) => (index % 2 ? python : typescript))
    const replies = await Promise.all(answers.map((answer) => post(url, answer, headers)))
    const ok = replies.filter(({ status }) => status === 200)
    expect(ok.length).toBeGreaterThanOrEqual(1)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      const text = await reply.text()
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'LINK_USED' } })
      expect(JSON.parse(text)).not.toHaveProperty('question')
    }
  })

  it('that has expired is refused', async () => {
    const clock = createFakeClock()
    const { url, sandbox, signingKeys } = await serveLinks({ clock })
    const link = await createAnswerLink(
      sandbox,
      { toolCallId: 'toolu_1', page, expiresInMs: 60_000 },
      { signingKeys, clock },
    )
    clock.advance(59_000)
    expect((await fetch(`${url}?toolCallId=toolu_1`, { headers: bearer(link) })).status).toBe(200)
    clock.advance(1000)
    expect(await codeOf(await post(url, python, bearer(link)))).toEqual({ status: 401, code: 'LINK_EXPIRED' })
  })

  it.each<[string, (serving: Awaited<ReturnType<typeof serveLinks>>) => Promise<string>]>([
    [
      'for another question',
      async ({ sandbox, linkFor }) => {
        await ask(sandbox, 'toolu_2', [FEATURES])
        return linkFor({ toolCallId: 'toolu_2' })
      },
    ],
    ['for another page', ({ linkFor }) => linkFor({ page: 'https://other.example/answer' })],
    ['by a stranger', async ({ linkFor }) => linkFor({}, await parseSigningKeys(await createSigningKey()))],
    [
      'for a question that was changed',
      async ({ sandbox, linkFor }) => {
        const link = await linkFor()
        await sandbox.files.writeAtomic('.sandagent/questions/toolu_1.json', 'null')
        await ask(sandbox, 'toolu_1', [{ ...LANGUAGE, header: 'Language' }])
        return link
      },
    ],
    [
      'for an earlier asking',
      async ({ sandbox, linkFor }) => {
        const link = await linkFor()
        await sandbox.files.writeAtomic('.sandagent/questions/toolu_1.json', 'null')
        await ask(sandbox, 'toolu_1', [LANGUAGE], { nonce: 'another' })
        return link
      },
    ],
  ])('%s is refused', async (_, make) => {
    const serving = await serveLinks()
    const headers = bearer(await make(serving))
    const invalid = { status: 401, code: 'LINK_INVALID' }
    expect(await codeOf(await post(serving.url, python, headers))).toEqual(invalid)
    expect(await codeOf(await fetch(`${serving.url}?toolCallId=toolu_1`, { headers }))).toEqual(invalid)
    await nothingStored(serving)
  })

  it('is the only way in where nothing else says who may answer', async () => {
    const { url } = await serveLinks()
    for (const headers of [{}, { authorization: 'Bearer a.b.c' }, { authorization: 'Basic abc' }] as const)
      expect(await codeOf(await post(url, python, headers))).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(await (await fetch(url)).json()).toEqual({ questions: [] })
  })

  it('leaves other tokens to authorize', async () => {
    const { url } = await serveLinks({
      authorize: (request) => request.headers.get('authorization') === 'Bearer own',
    })
    expect((await post(url, python, { authorization: 'Bearer own' })).status).toBe(200)
  })

  it('is not made for a question that nobody asks, or that has ended', async () => {
    const { linkFor, sandbox } = await serveLinks()
    expect(await refusalOf(linkFor({ toolCallId: 'unknown' }))).toMatchObject({ code: 'NOT_FOUND' })
    await settle(sandbox, 'toolu_1', { state: 'timed-out' })
    expect(await refusalOf(linkFor())).toMatchObject({ code: 'GONE' })
  })
})

describe('onDecision', () => {
  it('tells who did what, and how it ended', async () => {
    const { url, decisions, sandbox } = await serveAnswers({
      authorize(request) {
        const user = request.headers.get('x-user')
        if (user === null) throw new AskError('UNAUTHENTICATED', 'Sign in first')
        return user === 'ada' && { answeredBy: 'ada' }
      },
    })
    const ada = { 'x-user': 'ada' }
    await fetch(url, { headers: ada })
    await fetch(`${url}?toolCallId=toolu_1`, { headers: ada })
    await post(url, { ...python, status: 'pending' }, ada)
    await post(url, python, { 'x-user': 'bob' })
    await post(url, python)
    await post(url, { ...python, status: 'completed' }, ada)
    await post(url, { ...typescript, status: 'completed' }, ada)
    await send(url, { origin: 'https://evil.example' })
    await ask(sandbox, 'toolu_2')
    await post(url, { toolCallId: 'toolu_2', status: 'declined' }, ada)
    const by = { toolCallId: 'toolu_1', answeredBy: 'ada' }
    expect(decisions.map(({ at, ...decision }) => decision)).toEqual([
      { action: 'list', outcome: 'OK' },
      { ...by, action: 'read', outcome: 'OK' },
      { ...by, action: 'draft', outcome: 'OK' },
      { toolCallId: 'toolu_1', action: 'answer', outcome: 'FORBIDDEN' },
      { toolCallId: 'toolu_1', action: 'answer', outcome: 'UNAUTHENTICATED' },
      { ...by, action: 'answer', outcome: 'OK' },
      { ...by, action: 'answer', outcome: 'CONFLICT' },
      { action: 'request', outcome: 'CROSS_SITE' },
      { toolCallId: 'toolu_2', answeredBy: 'ada', action: 'decline', outcome: 'OK' },
    ])
    expect(Date.parse(decisions[0]?.at ?? '')).toBeGreaterThan(0)
  })

  it('tells of each question that is followed', async () => {
    const { url, decisions } = await serveAnswers({
      authorize: (_, { toolCallId }) => toolCallId === 'toolu_1',
    })
    const leave = new AbortController()
    const headers = { accept: 'text/event-stream' }
    await fetch(`${url}?toolCallId=toolu_1&toolCallId=toolu_2`, { headers, signal: leave.signal })
    leave.abort()
    expect(decisions).toMatchObject([
      { action: 'follow', toolCallId: 'toolu_1', outcome: 'OK' },
      { action: 'follow', toolCallId: 'toolu_2', outcome: 'FORBIDDEN' },
    ])
  })

  it('never holds answers or tokens, and long ids only in part', async () => {
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const page = 'https://app.example'
    const { url, sandbox, decisions } = await serveAnswers({ signingKeys, links: { page } })
    const link = await createAnswerLink(sandbox, { toolCallId: 'toolu_1', page }, { signingKeys })
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') as string
    await post(url, { ...python, reason: 'secret reason' }, { authorization: `Bearer ${token}` })
    await post(url, { ...python, toolCallId: 'x'.repeat(5000) }, { authorization: `Bearer ${token}` })
    const log = JSON.stringify(decisions)
    for (const secret of ['Python', 'secret', token]) expect(log).not.toContain(secret)
    expect(decisions).toMatchObject([
      { outcome: 'OK', link: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { outcome: 'LINK_INVALID' },
    ])
    expect(log.length).toBeLessThan(1000)
  })

  it('keeps nobody from answering when it fails', async () => {
    const errors: unknown[] = []
    const { url } = await serveAnswers({
      onDecision: () => {
        throw new Error('the log is full')
      },
      onError: (error) => errors.push(error),
    })
    expect((await post(url, python)).status).toBe(200)
    expect(errors).toHaveLength(1)
  })
})

describe('onWarning', () => {
  it('tells once of a receipt of an answer that nobody gave, whoever looks and however often', async () => {
    const warnings: unknown[] = []
    const { url, sandbox } = await serveAnswers({ onWarning: (warning) => warnings.push(warning) })
    await settle(sandbox, 'toolu_1', { responses: { q1: picked('Python') } })
    for (let look = 0; look < 3; look++)
      expect(await (await fetch(`${url}?toolCallId=toolu_1`)).json()).toMatchObject({ disputed: true })
    expect(warnings).toEqual([
      { code: 'DISPUTED_RECEIPT', message: expect.stringContaining('did not store'), toolCallId: 'toolu_1' },
    ])
  })

  it('tells once of a question that this host does not know, however often a page sends its answer', async () => {
    const warnings: unknown[] = []
    const errors: unknown[] = []
    const options = {
      sandbox: await tempSandbox(),
      onWarning: (warning: unknown) => warnings.push(warning),
      onError: (error: unknown) => errors.push(error),
    }
    const url = await serve(toNodeHandler(createAnswerHandler(options)))
    for (let time = 0; time < 3; time++) {
      const response = await post(url, python)
      expect(response.status).toBe(503)
      const message = expect.stringContaining('This host does not know the question')
      expect(await response.json()).toMatchObject({ error: { code: 'UNREACHABLE', message } })
    }
    expect(warnings).toEqual([
      { code: 'UNREACHABLE', message: expect.stringContaining('does not know'), toolCallId: 'toolu_1' },
    ])
    expect(errors).toEqual([])
  })

  it('says nothing of receipts that are right', async () => {
    const warnings: unknown[] = []
    const { url, sandbox } = await serveAnswers({ onWarning: (warning) => warnings.push(warning) })
    await post(url, python)
    await settle(sandbox, 'toolu_1', { responses: { q1: picked('Python') }, revision: 1 })
    expect(await (await fetch(`${url}?toolCallId=toolu_1`)).json()).toMatchObject({ state: 'answered' })
    expect(warnings).toEqual([])
  })

  it('is a line on the console by default, in which no id can draw or pass for a line of its own', async () => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
    onTestFinished(() => void console.mockRestore())
    const { url, sandbox } = await serveAnswers()
    const id = 'a\u001b[2J\nsandagent: all is well\u202e'
    await ask(sandbox, id)
    await settle(sandbox, id, { responses: { q1: picked('Python') } })
    await fetch(`${url}?toolCallId=${encodeURIComponent(id)}`)
    expect(console.mock.calls).toEqual([
      [expect.stringMatching(/^sandagent: This .* \(a sandagent: all is well\)$/)],
    ])
  })
})

describe('errors', () => {
  it('do not give back the words of a request', async () => {
    const { url, sandbox } = await serveAnswers()
    const script = '<script>alert(1)</script>'
    const bodies = [
      { toolCallId: script },
      { toolCallId: 'toolu_1', answers: { [script]: 'a' }, status: 'completed' },
      { toolCallId: 'toolu_1', answers: { [script]: 1 } },
      { toolCallId: 'toolu_1', responses: { [script]: { selected: [script] } } },
      { toolCallId: 'toolu_1', responses: { q1: { selected: [script] } } },
      { toolCallId: 'toolu_1', status: script },
      {
        toolCallId: 'toolu_3',
        questions: [{ question: script, options: [{ label: script }, { label: script }] }],
      },
    ]
    for (const body of bodies) {
      const response = await post(url, body)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.headers.get('content-type')).toContain('application/json')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await response.text()).not.toContain('script')
    }
    expect(await (await fetch(`${url}?toolCallId=${encodeURIComponent(script)}`)).text()).not.toContain(
      'script',
    )
    await submitAnswer(sandbox, python)
  })
})
