import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet, type FleetStore } from '@sandagent/fleet'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { answerFileFor, createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRunnerHandler } from '../src/runner-handler.ts'
import { createRunnerToken, readRunnerToken } from '../src/runner-token.ts'
import { receiptOf } from './support/questions.ts'

const HALF_A_DAY_MS = 12 * 3_600_000
const signingKeys = await parseSigningKeys(await createSigningKey())
const access = { namespace: 'one', runId: 'run-1', continues: ['run-0'] }

/** Sends the requests of a runner to a handler. */
async function serving(fleet: FleetStore = createMemoryFleet()) {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const handler = createRunnerHandler({ fleet, signingKeys, clock, onError: (error) => errors.push(error) })
  const token = await createRunnerToken(access, { signingKeys, clock })
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    handler(
      new Request(`http://host/api/runner/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  const codeOf = async (reply: Promise<Response>) => (await (await reply).json()).error.code
  const read = async (toolCallIds: string[]): Promise<StoredQuestion[]> =>
    (await (await send('POST', 'questions', { toolCallIds })).json()).questions
  return { fleet, clock, errors, handler, send, codeOf, read, questions: fleet.questions('one') }
}

/** A fleet whose questions can do no more than this. */
const fleetWith = (questions: Partial<QuestionStore>): FleetStore => ({
  ...createMemoryFleet(),
  questions: () => questions as QuestionStore,
})

const factsOf = (runId: string) => ({ runId, askedAt: '2026-01-01T00:00:00.000Z', isSettled: false })

describe('what a runner reads', () => {
  it('is in the order of its request, and hides what belongs to others', async () => {
    const { questions, read } = await serving()
    const texts = new Map(
      ['run-0', 'run-1', 'run-2'].map((runId) => [runId, JSON.stringify(openRecord(runId, { runId }))]),
    )
    for (const [runId, text] of texts)
      await questions.writeRecord(runId, text, { expected: null, facts: factsOf(runId) })
    await questions.writeRecord('bad', 'no record', { expected: null, facts: factsOf('run-1') })
    const answer = JSON.stringify(answerFileFor('old'))
    await questions.writeAnswer('old', answer, { expected: null })
    await questions.writeAnswer('run-2', answer, { expected: null })
    const ids = ['run-1', 'run-2', 'run-0', 'bad', 'old', 'none', 'run-1']
    const found = await read(ids)
    expect(found.map(({ toolCallId }) => toolCallId)).toEqual(ids)
    expect(found.map(({ record }) => record?.text ?? null)).toEqual(
      ['run-1', null, 'run-0', null, null, null, 'run-1'].map((id) => (id ? texts.get(id) : null)),
    )
    expect(found.map(({ answer }) => answer?.text ?? null)).toEqual([
      null,
      null,
      null,
      null,
      answer,
      null,
      null,
    ])
  })

  it('is fresh, and typed', async () => {
    const { send } = await serving()
    const { status, headers } = await send('POST', 'questions', { toolCallIds: [] })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is at most 500 questions, and 16 MiB', async () => {
    let text = 'y'.repeat(16 * 1024 * 1024 - 2)
    const stored = (toolCallId: string): StoredQuestion => ({
      toolCallId,
      record: null,
      answer: { text: toolCallId === 'short' ? 'yy' : text, version: '1' },
    })
    const { send, codeOf } = await serving(fleetWith({ read: async (ids) => ids.map(stored) }))
    const ask = (...toolCallIds: string[]) => send('POST', 'questions', { toolCallIds })
    expect((await ask('long', 'short')).status).toBe(200)
    text += 'y'
    expect(await codeOf(ask('long', 'short'))).toBe('TOO_LARGE')
    const many = Array.from({ length: 501 }, () => 'short')
    expect((await ask(...many.slice(1))).status).toBe(200)
    expect(await codeOf(ask(...many))).toBe('INVALID_REQUEST')
  })

  it.each(['', '{', '[]', '{}', '{"toolCallIds":[1]}'])('is not asked for by %j', async (body) => {
    const { send, codeOf } = await serving()
    expect(await codeOf(send('POST', 'questions', body))).toBe('INVALID_REQUEST')
  })
})

describe('what a runner writes', () => {
  const record = openRecord('c')

  it('is a record of its own question, over the version that it has seen', async () => {
    const { send, read, questions } = await serving()
    const put = (body: unknown, headers: Record<string, string>) => send('PUT', 'records', body, headers)
    const first = await put(record, { 'if-none-match': '*' })
    expect(first.status).toBe(200)
    const [stored] = await read(['c'])
    expect(await first.json()).toEqual(stored)
    expect(JSON.parse(stored?.record?.text ?? '')).toEqual(record)
    expect((await put(record, { 'if-none-match': '*' })).status).toBe(412)
    expect((await put(record, { 'if-match': '"other"' })).status).toBe(412)
    expect(await questions.list({ unsettled: true })).toMatchObject([
      { toolCallId: 'c', askedAt: record.askedAt },
    ])
    const version = { 'if-match': JSON.stringify(stored?.record?.version) }
    expect((await put({ ...record, ...receiptOf() }, version)).status).toBe(200)
    expect(await questions.list({ unsettled: true })).toEqual([])
    const missing = await put(openRecord('d'), { 'if-match': '"1"' })
    expect([missing.status, await missing.json()]).toEqual([412, { error: 'Another version is there' }])
  })

  it('is refused if another runner was faster', async () => {
    const { send } = await serving(fleetWith({ read: async () => [], writeRecord: async () => null }))
    expect((await send('PUT', 'records', record, { 'if-none-match': '*' })).status).toBe(412)
  })

  it.each<[string, unknown, Record<string, string>]>([
    ['no JSON', '{', { 'if-none-match': '*' }],
    ['no record', {}, { 'if-none-match': '*' }],
    ['no version', record, {}],
    ['a version that is no text', record, { 'if-match': '1' }],
    ['a version that is no JSON', record, { 'if-match': 'x' }],
  ])('is not %s', async (_, body, headers) => {
    const { send, codeOf, questions } = await serving()
    expect(await codeOf(send('PUT', 'records', body, headers))).toBe('INVALID_REQUEST')
    expect(await questions.list()).toEqual([])
  })

  it('has the faults of a record that is malformed', async () => {
    const { send } = await serving()
    const { error } = await (
      await send('PUT', 'records', { ...record, runId: 1 }, { 'if-none-match': '*' })
    ).json()
    expect(error.faults).toMatchObject([{ path: 'runId' }])
  })
})

it('changes are those that come, of the runner’s own questions', async () => {
  const questions = createMemoryFleet().questions('one')
  const subscribe = vi.fn<QuestionStore['subscribe']>((...args) => questions.subscribe(...args))
  const { send } = await serving(fleetWith({ subscribe }))
  const write = (toolCallId: string, runId: string) => {
    const text = JSON.stringify(openRecord(toolCallId, { runId }))
    return questions.writeRecord(toolCallId, text, { expected: null, facts: factsOf(runId) })
  }
  await write('before', 'run-1')
  const { headers, body } = await send('GET', 'changes')
  expect(headers.get('content-type')).toContain('text/event-stream')
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const arrived = (async () => {
    while (!text.includes('"own"')) text += (await reader?.read())?.value ?? ''
  })()
  await vi.waitFor(() => expect(subscribe).toHaveBeenCalledOnce())
  await write('other', 'run-2')
  await write('own', 'run-1')
  await arrived
  await reader?.cancel()
  expect(text).not.toContain('before')
  expect(text).not.toContain('other')
})

it('routes are there with a slash behind them, and changes for HEAD', async () => {
  const { send } = await serving()
  const read = await send('POST', 'questions/', { toolCallIds: [] })
  expect([read.status, await read.json()]).toEqual([200, { questions: [] }])
  const head = await send('HEAD', 'changes/')
  expect([head.status, head.headers.get('content-type'), head.body]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    null,
  ])
})

it('nothing else is served, and a failure of the store is told to the host', async () => {
  const { send, codeOf, errors } = await serving()
  for (const [method, path] of [
    ['GET', 'questions'],
    ['POST', 'records'],
    ['DELETE', 'changes'],
  ] as const)
    expect(await codeOf(send(method, path))).toBe('NOT_FOUND')
  expect(errors).toEqual([])
  const failure = new Error('The store is away')
  const broken = await serving(fleetWith({ read: () => Promise.reject(failure) }))
  expect((await broken.send('POST', 'questions', { toolCallIds: [] })).status).toBe(500)
  expect(broken.errors).toEqual([failure])
})

describe('the token of a runner', () => {
  it('is renewed after half a day, with the same rights', async () => {
    const { send, clock } = await serving()
    const renewed = async (): Promise<string | null> =>
      (await send('POST', 'questions', { toolCallIds: [] })).headers.get('sandagent-token')
    clock.advance(HALF_A_DAY_MS)
    expect(await renewed()).toBeNull()
    clock.advance(1)
    const token = (await renewed()) ?? ''
    expect(await readRunnerToken(token, { signingKeys, clock })).toMatchObject({ ...access, isOld: false })
  })

  it('is not renewed after its run has ended, until the run starts again', async () => {
    const { send, clock, fleet } = await serving()
    const reply = async () => {
      const { status, headers } = await send('POST', 'questions', { toolCallIds: [] })
      return [status, headers.has('sandagent-token')]
    }
    const run = { ...access, metadata: {}, startedAt: new Date(clock.now()).toISOString() }
    clock.advance(HALF_A_DAY_MS + 1)
    await fleet.runs.put(run)
    expect(await reply()).toEqual([200, true])
    await fleet.runs.end({ ...run, endedAt: new Date(clock.now()).toISOString() })
    expect(await reply()).toEqual([200, false])
    await fleet.runs.put(run)
    expect(await reply()).toEqual([200, true])
  })

  it('hears of no changes after it has expired', async () => {
    const { send, clock } = await serving()
    const text = (await send('GET', 'changes')).text()
    clock.advance(2 * HALF_A_DAY_MS)
    expect(await text).toContain('data: []')
    expect(clock.pending()).toBe(0)
    expect((await send('GET', 'changes')).status).toBe(401)
  })

  it('is shown as a bearer', async () => {
    const { send, codeOf } = await serving()
    for (const authorization of ['', 'Basic x', 'Bearer'])
      expect(await codeOf(send('GET', 'changes', undefined, { authorization }))).toBe('UNAUTHENTICATED')
    const { error } = await (await send('GET', 'changes', undefined, { authorization: '' })).json()
    expect(error.message).toContain('authorization: Bearer')
  })

  it('cannot be checked by a host without keys', async () => {
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    vi.stubEnv('SANDAGENT_SIGNING_KEY', '')
    vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
    const errors: unknown[] = []
    const handler = createRunnerHandler({
      fleet: createMemoryFleet(),
      onError: (error) => errors.push(error),
    })
    const request = () => new Request('http://host/changes', { headers: { authorization: 'Bearer x' } })
    expect((await handler(request())).ok).toBe(false)
    expect(errors).toMatchObject([{ code: 'NO_SIGNING_KEY' }])
    vi.stubEnv('SANDAGENT_SIGNING_KEY', await createSigningKey())
    expect((await handler(request())).status).toBe(401)
  })
})
