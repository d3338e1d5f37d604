import { readdir, readFile } from 'node:fs/promises'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { parseQuestions } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import {
  createAnswerHandler,
  createSigningKey,
  LOOPBACK_HOSTS,
  LocalSandbox,
  parseSigningKeys,
  toNodeHandler,
} from '@sandagent/sdk'
import { createFakeClock, openRecord } from '@sandagent/testing'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'

/** `FUZZ_REQUESTS=100000 npx vitest run --mode slow test/api/fuzz-answer-api.slow.test.ts` sends many more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS || 2000)

/** So many go at once, or the test would wait for the disk most of the time. */
const AT_ONCE = 10

const IDS = [
  'toolu_1',
  '../../escaped',
  '/etc/passwd',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  'C:\\con\0',
  '.hidden',
  'hashed-0',
  '💥\ud800',
]

interface Attack {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
  /** Whether the connection is cut in the middle of the body. */
  cut: boolean
}

const anId = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...IDS) },
  fc.string({ unit: 'binary' }),
  fc.string({ maxLength: 3 }),
)
const hostileKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'q1',
  'Which language?',
  '',
)
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileKey, fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant({ selected: ['A'] }))),
  fc.constantFrom(0, -1, 1e300, null, true, [], {}, '', 'completed', 'pending', 'x'.repeat(5000)),
)
const responses = fc.dictionary(
  fc.oneof(hostileKey, fc.string()),
  fc.oneof(
    fc.record(
      {
        selected: fc.array(fc.oneof(fc.constantFrom('A', 'B'), fc.string())),
        freeText: fc.string(),
        source: fc.constantFrom('human', 'default'),
      },
      { requiredKeys: ['selected'] },
    ),
    fc.constant({ skipped: true }),
    anything,
  ),
)
/** Like an answer, each part of it right or anything. */
const almostAnAnswer = fc.record(
  {
    toolCallId: fc.oneof({ weight: 8, arbitrary: anId }, anything),
    questions: fc.oneof(fc.constant([{ question: 'Which language?', options: [{ label: 'A' }] }]), anything),
    answers: fc.oneof(fc.dictionary(hostileKey, fc.string()), anything),
    responses: fc.oneof(responses, anything),
    // Nothing final, or there would soon be nothing left to answer.
    status: fc.oneof({ weight: 6, arbitrary: fc.constant('pending') }, anything),
    questionDigest: fc.oneof(fc.string(), anything),
    reason: anything,
    asksBack: anything,
  },
  { requiredKeys: ['toolCallId'] },
)
const deep = fc
  .tuple(
    fc.constantFrom('[', '{"a":', '{"questions":[', '{"toolCallId":"toolu_1","responses":{"q1":'),
    fc.integer({ min: 1, max: 20_000 }),
  )
  .map(([unit, depth]) => unit.repeat(depth))
const body = fc.oneof(
  { weight: 6, arbitrary: almostAnAnswer.map((answer) => Buffer.from(JSON.stringify(answer))) },
  { weight: 2, arbitrary: anything.map((value) => Buffer.from(JSON.stringify(value) ?? '')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: deep.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: almostAnAnswer.map((answer) => gzipSync(JSON.stringify(answer))) },
  {
    weight: 1,
    arbitrary: almostAnAnswer.map((answer) =>
      Buffer.from(`{"__proto__":${JSON.stringify(answer)},"toolCallId":"toolu_1"}`),
    ),
  },
)
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c < 0x7f || c > 0xa0)
    .map((c) => String.fromCharCode(c)),
  maxLength: 60,
})
/** Most requests are well-formed but for a part or two, or none would get far. */
const rarely = (header: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, header)
const linkHeaders = ['{"typ":"sandagent-link+jwt"}', '{"typ":"sandagent-link+jwt","alg":"none"}']
const headers = fc
  .record({
    'content-type': fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      fc.constantFrom(
        'application/json; charset=utf-16',
        'text/plain',
        'application/x-www-form-urlencoded',
        '',
      ),
      headerText,
    ),
    'content-encoding': rarely(fc.constantFrom('gzip', 'br', 'identity', 'x')),
    accept: fc.oneof(fc.constantFrom('text/event-stream', '*/*'), headerText),
    authorization: rarely(
      fc.oneof(
        headerText,
        fc.constantFrom(
          'Bearer',
          'Bearer a.b.c',
          ...linkHeaders.map((header) => `Bearer ${btoa(header)}.e30.`),
        ),
      ),
    ),
    origin: rarely(fc.oneof(fc.constantFrom('null', 'https://evil.example'), headerText)),
    'sec-fetch-site': rarely(fc.oneof(fc.constantFrom('same-origin', 'cross-site'), headerText)),
    host: rarely(headerText),
    'last-event-id': rarely(headerText),
    cookie: rarely(headerText),
  })
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  )
const attack: fc.Arbitrary<Attack> = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constant('POST') },
    { weight: 3, arbitrary: fc.constant('GET') },
    fc.constantFrom('PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'),
  ),
  path: fc.oneof(
    fc.constant(''),
    fc
      .array(anId, { minLength: 1, maxLength: 3 })
      .map(
        (ids) =>
          `?${ids.map((id) => `toolCallId=${encodeURIComponent(id.replace(/\p{Cs}/gu, '?'))}`).join('&')}`,
      ),
    fc.constantFrom(
      '?toolCallId',
      '?toolCallId=%',
      '?toolCallId=%00',
      '?toolCallId=%ff%fe',
      '?toolCallId[]=a',
      '?&&&=',
    ),
  ),
  headers,
  body,
  cut: fc.oneof({ weight: 30, arbitrary: fc.constant(false) }, fc.constant(true)),
})

/** Sends a request, and resolves to the status of the reply; 0 when the connection was cut. */
function send(port: number, agent: Agent, { method, path, headers, body, cut }: Attack): Promise<number> {
  return new Promise((resolve, reject) => {
    const declared = cut ? body.length + 10 : body.length
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const request = httpRequest({
      port,
      agent,
      method,
      path: `/api/answer${path}`,
      headers: { ...headers, ...(hasBody && { 'content-length': declared }) },
    })
    const isStream = headers.accept?.includes('text/event-stream') && method === 'GET'
    request.once('response', (response: IncomingMessage) => {
      response.resume()
      response.once('close', () => resolve(response.statusCode ?? 0))
      if (isStream) request.destroy()
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      // A refused body is not read to its end.
      if (cut || isStream || ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(0)
      else reject(error)
    })
    if (hasBody) request.write(body)
    if (cut && hasBody) request.destroy(new Error('cut'))
    else request.end()
  })
}

/** Every file of a folder with its content, but for the answer files. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.sandagent/approvals/'))
  return Object.fromEntries(
    await Promise.all(
      files.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const),
    ),
  )
}

/** Bytes that are in use once everything else is collected. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

it('keeps nothing of very long ids', async () => {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  await createFileRunnerChannel({ workdir: sandbox.workdir }).open(openRecord('toolu_1'))
  const { POST } = createAnswerHandler({ sandbox, authorize: () => true })
  const send = async (id: number): Promise<number> => {
    const body = JSON.stringify({ toolCallId: `${id}`.padEnd(250_000, 'x'), answers: {} })
    const headers = { 'content-type': 'application/json' }
    return (await POST(new Request('http://localhost/', { method: 'POST', headers, body }))).status
  }
  expect(await send(-1)).toBe(404)
  const before = memoryInUse()
  for (let id = 0; id < 200; id++) await send(id)
  expect(memoryInUse() - before).toBeLessThan(10 * 1024 * 1024)
})

it('keeps nothing of very long drafts', async () => {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  await createFileRunnerChannel({ workdir: sandbox.workdir }).open(openRecord('toolu_1'))
  const clock = createFakeClock()
  const keys = await parseSigningKeys(await createSigningKey())
  const { POST } = createAnswerHandler({ sandbox, signingKeys: keys, clock, authorize: () => true })
  const draft = async (round: number): Promise<void> => {
    clock.advance(1000)
    const responses = { q1: { selected: [], freeText: `${round}`.padEnd(200_000, 'x') } }
    const body = JSON.stringify({ toolCallId: 'toolu_1', responses, status: 'pending' })
    const headers = { 'content-type': 'application/json' }
    const response = await POST(new Request('http://localhost/', { method: 'POST', headers, body }))
    expect(response.status).toBe(200)
  }
  await draft(-1)
  const before = memoryInUse()
  for (let round = 0; round < 100; round++) await draft(round)
  expect(memoryInUse() - before).toBeLessThan(10 * 1024 * 1024)
})

it(
  `takes ${REQUESTS} hostile requests without a failure, a write outside approvals/, or a leak`,
  async () => {
    const folder = await tempDir()
    const sandbox = new LocalSandbox({ workdir: join(folder, 'workdir'), isolation: 'none' })
    const runner = createFileRunnerChannel({ workdir: sandbox.workdir })
    for (const [index, toolCallId] of IDS.entries())
      await runner.open({
        version: 1,
        toolCallId,
        toolName: 'AskUserQuestion',
        kind: 'question',
        questions: parseQuestions([
          {
            question: 'Which language?',
            options: [{ label: 'A' }, { label: 'B' }],
            multiSelect: index % 2 === 0,
          },
        ]),
        askedAt: new Date().toISOString(),
        timeoutMs: 'never',
        deadline: null,
        nonce: `nonce ${index}`,
        runId: 'run-1',
        state: 'open',
      })

    const failures: unknown[] = []
    const clock = createFakeClock()
    let decisions = 0
    const handler = createAnswerHandler({
      sandbox,
      clock,
      signingKeys: await parseSigningKeys(await createSigningKey()),
      links: { page: 'https://app.example' },
      authorize: () => true,
      allowedHosts: LOOPBACK_HOSTS,
      onError: (error) => failures.push(error),
      onDecision: () => {
        decisions++
      },
    })
    const server = createServer((request, response) => {
      clock.advance(1000)
      toNodeHandler(handler)(request, response).catch((error: unknown) => {
        failures.push(error)
        response.destroy()
      })
    })
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    onTestFinished(async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const { port } = server.address() as AddressInfo

    const before = await contentsOf(folder)
    const statuses = new Map<number, number>()
    let sent = 0
    let warmMemory = 0
    await fc.assert(
      fc.asyncProperty(fc.array(attack, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (attacks) => {
        const replies = await Promise.all(attacks.map((one) => send(port, agent, one)))
        for (const status of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
        sent += AT_ONCE
        if (warmMemory === 0 && sent >= REQUESTS / 5) warmMemory = memoryInUse()
        expect(failures).toEqual([])
        expect(Math.max(...replies)).toBeLessThan(500)
      }),
      { numRuns: Math.ceil(REQUESTS / AT_ONCE) },
    )
    const grownBy = memoryInUse() - warmMemory
    if (process.env.FUZZ_REQUESTS)
      console.log({ sent, decisions, grownBy, statuses: Object.fromEntries(statuses) })
    expect(await contentsOf(folder)).toEqual(before)
    expect(await readdir(folder)).toEqual(['workdir'])
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('toolCallId')
    for (const status of [200, 400, 403, 404, 405, 415]) expect(statuses.get(status)).toBeGreaterThan(0)
    expect(grownBy).toBeLessThan(16 * 1024 * 1024)
  },
  120_000 + 20 * REQUESTS,
)
