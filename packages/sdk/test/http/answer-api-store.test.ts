import { AskError } from '@sandagent/core'
import { addObserver, systemClock, withReceipt } from '@sandagent/core/internal'
import { openRecord, receiptOf } from '@sandagent/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AnswerableSandbox } from '../../src/sandbox/sandbox.ts'
import { changed, serving } from '../support/answer-api.ts'

const A = { q1: { selected: ['A'], source: 'human' as const } }
const answer = { toolCallId: 't0', responses: A, status: 'completed' as const }

describe('an answer over the API', () => {
  it('is stored without reading the question again, if it is known', async () => {
    const { call, reads, sandbox } = await serving(1)
    const known = await call(({ read }) => read('t0'))
    reads.length = 0
    const followed: string[] = []
    const followingSandbox = changed(sandbox, () => ({
      async known(toolCallId) {
        followed.push(toolCallId)
        return known.value.state
      },
    }))
    const following = await serving(0, { sandbox: followingSandbox })
    expect((await following.call(({ store }) => store(answer, known.value.state))).value).toMatchObject({
      revision: 1,
    })
    expect(followed).toEqual([])
    expect((await following.call(({ store }) => store(answer))).value).toMatchObject({ revision: 1 })
    expect(followed).toEqual(['t0'])
  })

  it.each<[string, unknown, string | null]>([
    ['refuses it', null, null],
    ['cannot store it', new AskError('UNREACHABLE', 'Not now'), 'UNREACHABLE'],
    ['fails', new Error('A bug'), 'INTERNAL'],
  ])('is tried again with a fresh look, once, where what is known %s', async (_, failure, expected) => {
    const { sandbox, questions } = await serving(1)
    let writes = 0
    const stale = changed(sandbox, (channel) => ({
      known: async () =>
        failure
          ? channel.read('t0')
          : { toolCallId: 't0', record: withReceipt(openRecord('t0'), receiptOf()) },
      async write(...args) {
        writes += 1
        if (failure) throw failure
        return channel.write(...args)
      },
    }))
    const { call } = await serving(0, { sandbox: stale })
    expect((await call(({ store }) => store(answer))).code).toBe(expected)
    expect(writes).toBe(1)
    const [stored] = await questions.read(['t0'])
    expect(stored?.answer === null).toBe(expected !== null)
  })

  it('counts once towards the limit of its question, however often it is tried', async () => {
    const { sandbox } = await serving(2)
    const gone = {
      toolCallId: 't0',
      record: withReceipt(openRecord('t0'), receiptOf({ state: 'aborted', responses: {} })),
    }
    const { call } = await serving(0, { sandbox: changed(sandbox, () => ({ known: async () => gone })) })
    const draft = { ...answer, status: 'pending' }
    for (let n = 0; n < 60; n++) expect((await call(({ store }) => store(draft))).code).toBeNull()
    expect((await call(({ store }) => store(draft))).code).toBe('RATE_LIMITED')
    expect((await call(({ store }) => store({ ...draft, toolCallId: 't1' }))).code).not.toBe('RATE_LIMITED')
  })

  it('is limited for each sandbox of its own', async () => {
    const sandboxes = { a: (await serving(1)).sandbox, b: (await serving(1)).sandbox }
    const named = (id: 'a' | 'b'): AnswerableSandbox => ({
      ...sandboxes[id],
      id,
    })
    const sandbox = (request: Request) => named(request.headers.get('x-sandbox') as 'a' | 'b')
    const { call } = await serving(0, { sandbox })
    const store = async (id: string) =>
      (
        await call(
          ({ store }) => store({ ...answer, status: 'pending' }),
          new Request('http://host/', { headers: { 'x-sandbox': id } }),
        )
      ).code
    for (let n = 0; n < 60; n++) await store('a')
    expect(await store('a')).toBe('RATE_LIMITED')
    expect(await store('b')).toBeNull()
  })

  it.each([
    ['draft', { status: 'pending' }],
    ['answer', { status: 'completed' }],
    ['answer', { status: undefined }],
    ['draft', { status: undefined, responses: {} }],
    ['decline', { status: 'declined' }],
  ])('is logged as %s for %j', async (action, more) => {
    const { call, decisions } = await serving(1)
    await call(({ store }) => store({ ...answer, ...more }))
    const at = '2026-01-01T00:00:00.000Z'
    expect(decisions).toEqual([{ at, action, toolCallId: 't0', outcome: 'OK' }])
  })

  it('is refused for a body that says neither an answer nor how it ends: it would empty the draft', async () => {
    const { call } = await serving(1)
    expect((await call(({ store }) => store({ toolCallId: 't0', declined: true }))).code).toBe(
      'INVALID_REQUEST',
    )
  })

  it('is logged as a vote while more people must give the same', async () => {
    const names = ['ada', 'bo']
    const authorize = () => ({ answeredBy: names.shift() ?? '' })
    const { call, decisions } = await serving(1, { authorize, policy: [{ votes: 2 }] })
    expect((await call(({ store }) => store(answer))).value).toMatchObject({ missingVotes: 1 })
    expect((await call(({ store }) => store(answer))).value).toMatchObject({ status: 'completed' })
    expect(decisions).toMatchObject([
      { action: 'vote', answeredBy: 'ada' },
      { action: 'answer', answeredBy: 'bo' },
    ])
  })
})

describe('the people who have a question open', () => {
  /** Who else has `t0` open, by the first event of a stream. */
  async function othersSeen({ call }: Awaited<ReturnType<typeof serving>>): Promise<unknown> {
    const request = new Request('http://host/', { headers: { 'x-user': 'eve' } })
    const { value } = await call(({ follow }) => follow(['t0']), request)
    const reader = value.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('"people"')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '').people.map((person: object) => ({
      ...person,
      id: undefined,
    }))
  }
  const authorize = (request: Request) => ({ answeredBy: request.headers.get('x-user') ?? 'ada' })

  it('are those who type: a draft says so, and a vote or an answer ends it', async () => {
    const serve = await serving(1, { authorize, policy: [{ votes: 2 }] })
    expect(await othersSeen(serve)).toEqual([])
    await serve.call(({ store }) => store({ ...answer, status: 'pending' }))
    expect(await othersSeen(serve)).toEqual([{ name: 'ada', isTyping: true }])
    await serve.call(({ store }) => store(answer))
    expect(await othersSeen(serve)).toEqual([])
  })

  it('keep no process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const { call } = await serving(1, { authorize, clock: systemClock })
    const before = timers()
    expect((await call(({ store }) => store({ ...answer, status: 'pending' }))).code).toBeNull()
    expect(timers()).toBeLessThanOrEqual(before)
  })
})

describe('an observer of the API', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

  it('sees what is stored, for which question, in which trace, and how it ends', async () => {
    const seen: unknown[] = []
    const { call } = await serving(1)
    onTestFinished(
      addObserver({
        begin(operation) {
          seen.push(operation)
          return { progress: (progress) => seen.push(progress), end: (ending) => seen.push(ending) }
        },
      }),
    )
    const request = () => new Request('http://host/', { headers: { traceparent } })
    await call(({ store }) => store(answer), request())
    const found = { name: 'found', record: openRecord('t0') }
    expect(seen).toEqual([
      { name: 'store', toolCallId: 't0', status: 'completed', traceparent },
      found,
      found,
      { stored: { status: 'completed', revision: 1 } },
    ])
    seen.length = 0
    await call(({ store }) => store({ ...answer, toolCallId: 'none' }), new Request('http://host/'))
    expect(seen.at(-1)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  it('sees answers that are refused before they are read, and no other refusals', async () => {
    const incidents: unknown[] = []
    const { call } = await serving(1)
    onTestFinished(addObserver({ incident: (incident) => incidents.push(incident) }))
    const refuse = async () => {
      throw new AskError('INVALID_REQUEST', 'Nobody can read this')
    }
    await call(refuse)
    await call(
      ({ store }) => store({ ...answer, toolCallId: 'none' }),
      new Request('http://host/', { method: 'POST' }),
    )
    expect(incidents).toEqual([])
    await call(refuse, new Request('http://host/', { method: 'POST' }))
    expect(incidents).toEqual([{ name: 'request-refused', code: 'INVALID_REQUEST' }])
  })
})
