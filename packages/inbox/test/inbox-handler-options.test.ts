import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { storeOf } from '@sandagent/fixtures/channel-store.ts'
import type { Decision } from '@sandagent/sdk'
import { createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createInboxHandler, type InboxHandlerOptions, type InboxSandbox } from '../src/index.ts'
import { jsonOf } from './support/json-of.ts'
import { noted, started } from './support/runs.ts'
import { ask, tempSandbox } from './support/temp-sandbox.ts'

const ORIGIN = 'http://localhost/api/inbox'
const ANSWER = { toolCallId: 'a', answers: { 'Which language?': 'A' } }

/** An inbox of one sandbox in memory, where `a` is asked. */
async function serving(options: Partial<InboxHandlerOptions> = {}) {
  const clock = createFakeClock()
  const channel = createMemoryChannel({ clock })
  await channel.runner.open(openRecord('a'))
  const one: InboxSandbox = { id: 'one', name: 'The first', sandbox: channel.sandbox }
  const decisions: Decision[] = []
  const onError = vi.fn()
  const handle = createInboxHandler({
    sandboxes: [one],
    authorize: () => true,
    signingKeys: null,
    onWarning: () => {},
    onDecision: (decision) => decisions.push(decision),
    onError,
    clock,
    ...options,
  })
  const get = (route: string, init: RequestInit = {}) => handle(new Request(`${ORIGIN}/${route}`, init))
  const post = (body: object, headers: Record<string, string> = {}) =>
    get('answer?sandbox=one', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { clock, channel, one, decisions, onError, get, post }
}

describe('the options of an inbox over HTTP', () => {
  it('are checked by their names and kinds', () => {
    for (const wrong of [
      { typo: 1 },
      { authorize: 1 },
      { onDecision: 1 },
      { onError: 1 },
      { allowedHosts: 'x' },
    ])
      expect(() => createInboxHandler({ sandboxes: [], authorize: () => true, ...wrong } as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST' }),
      )
  })

  it('name the hosts and the sites for every route', async () => {
    const { get } = await serving({ allowedHosts: ['box.lan'], allowedOrigins: ['https://app.example'] })
    for (const route of ['questions', 'answer?sandbox=one&toolCallId=a']) {
      expect((await get(route)).status).toBe(403)
      const headers = { host: 'box.lan', origin: 'https://app.example' }
      expect((await get(route, { headers })).status).toBe(200)
      expect((await get(route, { headers: { ...headers, origin: 'https://evil.example' } })).status).toBe(403)
    }
  })

  it('let this machine alone in without authorize', async () => {
    for (const [address, status] of [
      ['127.0.0.1', 200],
      ['192.0.2.1', 403],
    ] as const) {
      const { get } = await serving({ authorize: undefined, peerAddress: () => address })
      for (const route of ['questions', 'answer?sandbox=one&toolCallId=a'])
        expect([route, (await get(route)).status]).toEqual([route, status])
    }
  })

  it('tell authorize which question is answered, and where', async () => {
    const authorize = vi.fn(() => ({ answeredBy: 'ada' }))
    const { post, channel, decisions, clock } = await serving({ authorize })
    expect((await post(ANSWER)).status).toBe(200)
    expect(authorize).toHaveBeenCalledWith(expect.any(Request), {
      sandboxId: 'one',
      toolCallId: 'a',
      record: openRecord('a'),
    })
    expect((await channel.host.read('a')).answerFile).toMatchObject({
      answeredBy: 'ada',
      timestamp: new Date(clock.now()).toISOString(),
    })
    expect(decisions).toEqual([
      {
        at: new Date(clock.now()).toISOString(),
        action: 'answer',
        toolCallId: 'a',
        sandboxId: 'one',
        answeredBy: 'ada',
        outcome: 'OK',
      },
    ])
    authorize.mockClear()
    expect((await post({ ...ANSWER, toolCallId: 'none' })).status).toBe(404)
    expect(authorize).toHaveBeenCalledWith(expect.any(Request), { sandboxId: 'one', toolCallId: 'none' })
  })

  it('say who may answer, in what is shown and in what is taken', async () => {
    const authorize = () => ({ answeredBy: 'ada', roles: ['guest'] })
    const { get, post } = await serving({ authorize, policy: [{ roles: ['lead'] }] })
    const { questions } = await jsonOf(await get('questions'))
    expect(questions).toMatchObject([{ question: { mayAnswer: false } }])
    expect((await jsonOf(await post(ANSWER))).error.code).toBe('NOT_ALLOWED')
    expect(() => createInboxHandler({ sandboxes: [], authorize, policy: [] })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })

  it('let nobody answer without a link where links alone open it', async () => {
    const links = { page: 'https://host.example/answer' }
    const { get, post } = await serving({ authorize: undefined, links })
    expect((await jsonOf(await get('questions'))).questions).toEqual([])
    expect((await post(ANSWER)).status).toBe(403)
  })

  it.each([
    [undefined, 800, 'It is still being read'],
    [300, 300, 'It has not replied within 0.3 s'],
  ])('with a patience of %s let the first list of a stream wait %i ms', async (patienceMs, waitMs, why) => {
    const { sandbox } = createMemoryChannel()
    const never = () => new Promise<never>(() => {})
    const silent = {
      read: never,
      questions: never,
      states: never,
      async *subscribe(signal: AbortSignal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    } as never
    const { get, clock } = await serving({
      patienceMs,
      sandboxes: [
        {
          id: 'silent',
          name: 'Silent',
          sandbox: { ...sandbox, questions: storeOf(silent), runs: { keyIds: never } },
        },
      ],
    })
    const { body } = await get('questions', { headers: { accept: 'text/event-stream' } })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    onTestFinished(() => reader?.cancel())
    let text = ''
    const listed = (async () => {
      while (!text.includes('event: list')) text += (await reader?.read())?.value ?? ''
    })()
    // The comment that keeps the stream open, the check of the sandbox, and the list.
    await clock.whenPending(3)
    clock.advance(waitMs - 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(text).not.toContain('event: list')
    clock.advance(1)
    await listed
    expect(text).toContain(why)
    expect(text).toContain('"sandboxId":"silent"')
  })
})

describe('a question whose run cannot be read', () => {
  it('is shown without it, and is no failure of the host when its sandbox has a fault', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'a')
    await writeFile(join(sandbox.workdir, '.sandagent/runs'), 'This is no folder')
    const { get, onError } = await serving({ sandboxes: [{ id: 'one', name: 'The first', sandbox }] })
    const shown = await jsonOf(await get('question?sandbox=one&toolCallId=a'))
    expect(shown).toMatchObject({ question: { toolCallId: 'a' }, messages: [], edits: [] })
    expect(onError).not.toHaveBeenCalled()
  })
})

it('a question comes with the last 20 messages of its run, and a run with its last 200', async () => {
  const sandbox = await tempSandbox()
  const { runId } = await started(sandbox, { agent: 'finishes' })
  await noted(sandbox, runId)
  await ask(sandbox, 'a', undefined, { runId })
  const log = join(sandbox.workdir, '.sandagent/runs', runId, '1/stream.sse')
  const messages = Array.from({ length: 210 }, (_, n) => ({ type: 'text-delta', id: `${n}`, delta: `${n}.` }))
  await appendFile(log, messages.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
  const { get } = await serving({ sandboxes: [{ id: 'one', name: 'The first', sandbox }] })
  const textsOf = async (route: string): Promise<string[]> =>
    (await jsonOf(await get(route))).messages.map(({ text }: { text: string }) => text)
  const expected = messages.map(({ delta }) => delta)
  expect(await textsOf('question?sandbox=one&toolCallId=a')).toEqual(expected.slice(-20))
  expect(await textsOf(`run?sandbox=one&runId=${runId}`)).toEqual(expected.slice(-200))
})
