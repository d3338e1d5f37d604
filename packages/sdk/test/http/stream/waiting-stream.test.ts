import { once } from 'node:events'
import {
  AskError,
  type HostChannel,
  parseQuestions,
  type QuestionState,
  type QuestionView,
} from '@sandagent/core'
import { createRunnerChannel } from '@sandagent/core/store'
import { createFileRunnerChannel } from '@sandagent/files'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { waitingStream } from '../../../src/http/stream/waiting-stream.ts'
import {
  type AnswerHandlerOptions,
  createAgents,
  createAnswerHandler,
  createAnswerLink,
  createSigningKey,
  parseSigningKeys,
  submitAnswer,
  toNodeHandler,
} from '../../../src/index.ts'
import { serve } from '../../support/serve.ts'
import { ask, close, LANGUAGE, picked, settle, tempSandbox } from '../../support/temp-sandbox.ts'

const answers = { 'Which language?': 'Python' }
const EVENTS = { accept: 'text/event-stream' }

interface Event {
  name: string | undefined
  data: QuestionView
}

/** Reads the events of a stream one by one. */
function eventsOf(body: ReadableStream<Uint8Array> | null): () => Promise<Event> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  const events: Event[] = []
  let rest = ''
  return async () => {
    while (events.length === 0) {
      const { value, done } = await reader.read()
      if (done) throw new Error('The stream ended')
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks)
        if (!block.startsWith(':'))
          events.push({
            name: /^event: (.+)$/m.exec(block)?.[1],
            data: JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? ''),
          })
    }
    return events.shift() as Event
  }
}

/** The ids of the event `list`. */
const idsIn = ({ name, data }: Event): string[] => {
  expect(name).toBe('list')
  return (data as unknown as { questions: QuestionView[] }).questions.map(({ toolCallId }) => toolCallId)
}

/** Follows what waits in a new sandbox as the caller of a request. */
async function follow(
  options: Partial<AnswerHandlerOptions> = {},
  { headers = {}, before = async () => {} }: FollowOptions = {},
) {
  const sandbox = await tempSandbox()
  await before(sandbox)
  const { GET } = createAnswerHandler({ sandbox, authorize: () => true, ...options })
  const response = await GET(new Request('http://host/api/answer', { headers: { ...EVENTS, ...headers } }))
  return { sandbox, GET, response, next: eventsOf(response.body) }
}

interface FollowOptions {
  headers?: Record<string, string>
  before?: (sandbox: Awaited<ReturnType<typeof tempSandbox>>) => Promise<void>
}

/** Two questions, the second one asked later. */
const askTwo = async (sandbox: { workdir: string }): Promise<void> => {
  await ask(sandbox, 'a', undefined, { askedAt: '2026-01-01T00:00:00.000Z' })
  await ask(sandbox, 'b', undefined, { askedAt: '2026-01-02T00:00:00.000Z' })
}

/** A clock on which only the test lets time pass: 30 seconds, after which rights are checked. */
function recheckClock() {
  const timers = new Set<{ ms: number; callback: () => void }>()
  return {
    now: () => 0,
    after(ms: number, callback: () => void) {
      const timer = { ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async recheck() {
      const due = () => [...timers].find(({ ms }) => ms === 30_000)
      await vi.waitFor(() => expect(due()).toBeDefined())
      const timer = due()
      if (timer) timers.delete(timer)
      timer?.callback()
    },
    longTimers: () => [...timers].filter(({ ms }) => ms >= 15_000),
  }
}

describe('the stream of all questions that wait', () => {
  it('begins with their list, tells of each change, and of the end of each, and leaves nothing behind', async () => {
    const sandbox = await tempSandbox()
    await askTwo(sandbox)
    await ask(sandbox, 'settled')
    await settle(sandbox, 'settled', {})
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox })))
    const client = new AbortController()
    await noSystemWatches()
    const response = await fetch(url, { headers: EVENTS, signal: client.signal })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    const next = eventsOf(response.body)

    const list = await next()
    expect(list).toMatchObject({ name: 'list', data: { questions: [{ state: 'open' }, { state: 'open' }] } })
    expect(idsIn(list)).toEqual(['a', 'b'])
    await ask(sandbox, 'c')
    expect(await next()).toMatchObject({ name: undefined, data: { toolCallId: 'c', state: 'open' } })
    await submitAnswer(sandbox, { toolCallId: 'a', answers, status: 'pending' })
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'open', revision: 1 } })
    await submitAnswer(sandbox, { toolCallId: 'a', answers, status: 'completed' })
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'sent' } })
    // What no longer waits is told once.
    await settle(sandbox, 'a', { revision: 2, responses: { q1: picked('Python') } })
    await close(sandbox, 'b')
    await settle(sandbox, 'b', { state: 'timed-out' })
    expect(await next()).toMatchObject({ data: { toolCallId: 'b', state: 'timed-out' } })

    await vi.waitFor(() => expect(systemWatches()).toBeGreaterThan(0))
    client.abort()
    await noSystemWatches()
  })

  it('is empty where nothing waits, until something does', async () => {
    const { sandbox, next } = await follow()
    expect(await next()).toEqual({ name: 'list', data: { questions: [] } })
    await ask(sandbox, 'a')
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'open' } })
  })

  it('tells of a question that is asked again under its id', async () => {
    const { sandbox, next } = await follow({}, { before: askTwo })
    await next()
    await submitAnswer(sandbox, { toolCallId: 'a', answers, status: 'completed' })
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'sent' } })
    await settle(sandbox, 'a', { state: 'aborted' })
    const again = openRecord('a', { questions: parseQuestions([LANGUAGE]), nonce: 'another one' })
    await createFileRunnerChannel({ workdir: sandbox.workdir }).open(again, { mayAdopt: async () => false })
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'open', revision: 0 } })
  })

  it('has what a store tells, as a fleet has one', async () => {
    const fleet = createMemoryFleet()
    const runner = createRunnerChannel(fleet.questions('one'))
    await runner.open(openRecord('a'))
    const sandbox = fleetSandbox(fleet, 'one')
    const { GET } = createAnswerHandler({ sandbox, authorize: () => true, signingKeys: null })
    const next = eventsOf((await GET(new Request('http://host/answer', { headers: EVENTS }))).body)
    expect(idsIn(await next())).toEqual(['a'])
    await runner.open(openRecord('b'))
    expect(await next()).toMatchObject({ data: { toolCallId: 'b' } })
    await runner.close('a', 'aborted')
    await runner.settle('a', { state: 'aborted', settledAt: '2026-01-01T00:00:00.000Z', responses: {} })
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'aborted' } })
  })

  it('opens no question: nobody is said to look at one, and it says of nobody that they do', async () => {
    const { GET, next } = await follow({ authorize: () => ({ answeredBy: 'Ada' }) }, { before: askTwo })
    expect((await next()).data.questions[0]).not.toHaveProperty('people')
    const url = 'http://host/api/answer?toolCallId=a&browser=other'
    const one = eventsOf((await GET(new Request(url, { headers: EVENTS }))).body)
    expect((await one()).data.people).toEqual([])
  })

  it('keeps only the latest state of each question for a reader that is slow', async () => {
    const state = (revision: number): QuestionState => ({
      toolCallId: 'a',
      record: openRecord('a'),
      answerFile: {
        questions: [],
        answers: {},
        status: 'pending',
        timestamp: '2026-01-01T00:00:00Z',
        revision,
      },
    })
    let isOver = false
    const channel = {
      async *subscribe(signal: AbortSignal) {
        for (let revision = 1; revision <= 1000; revision++) yield state(revision)
        isOver = true
        await once(signal, 'abort')
      },
    } as unknown as HostChannel
    const stream = await waitingStream(channel, {
      list: async () => [],
      viewerOf: async () => ({}),
      waits: () => true,
      clock: createFakeClock(),
      onError: () => {},
    })
    const next = eventsOf(stream)
    await next()
    const revisions = [(await next()).data.revision]
    await vi.waitFor(() => expect(isOver).toBe(true))
    while (revisions.at(-1) !== 1000) revisions.push((await next()).data.revision)
    expect(revisions.length).toBeLessThan(10)
  })

  it('never tells of a question as open that was answered while its reader was looked up', async () => {
    const open: QuestionState = { toolCallId: 'a', record: openRecord('a') }
    const timestamp = '2026-01-01T00:00:00Z'
    const sent: QuestionState = {
      ...open,
      answerFile: { questions: [], answers: {}, status: 'completed', timestamp, revision: 1 },
    }
    let answer = (): void => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const channel = {
      async *subscribe(signal: AbortSignal) {
        yield open
        await isAnswered
        yield sent
        await once(signal, 'abort')
      },
    } as unknown as HostChannel
    const stream = await waitingStream(channel, {
      list: async () => [],
      async viewerOf() {
        answer()
        return {}
      },
      waits: ({ answerFile }) => !answerFile,
      clock: createFakeClock(),
      onError: () => {},
    })
    const next = eventsOf(stream)
    await next()
    expect((await next()).data.state).toBe('open')
    expect((await next()).data.state).toBe('sent')
  })
})

describe('a caller of the stream', () => {
  it('sees the questions that authorize shows, and learns nothing of the others', async () => {
    const { sandbox, next } = await follow(
      { authorize: (_, { toolCallId }) => toolCallId.startsWith('b') && { answeredBy: 'Bob' } },
      { before: askTwo },
    )
    expect(idsIn(await next())).toEqual(['b'])
    await ask(sandbox, 'a2')
    await submitAnswer(sandbox, { toolCallId: 'a', answers })
    await ask(sandbox, 'b2')
    expect(await next()).toMatchObject({ data: { toolCallId: 'b2' } })
  })

  it('who may see a question but not answer it gets no drafts of others', async () => {
    const policy = [{ roles: ['lead'] }]
    const { sandbox, next } = await follow(
      { policy, authorize: () => ({ answeredBy: 'Bob', roles: [] }) },
      { before: askTwo },
    )
    expect((await next()).data.questions[0]).toMatchObject({ mayAnswer: false, rule: { roles: ['lead'] } })
    const draft = { toolCallId: 'a', answers, status: 'pending' } as const
    await submitAnswer(sandbox, draft, { answeredBy: 'Ada', roles: ['lead'] })
    expect((await next()).data).toMatchObject({ toolCallId: 'a', responses: {}, otherDrafts: [] })
  })

  it.each([
    ['a refusal', () => false],
    [
      'an error',
      () => {
        throw new AskError('UNAUTHENTICATED', 'Sign in first')
      },
    ],
  ])('who loses the right by %s sees no later event: the stream ends', async (_, refuse) => {
    const clock = recheckClock()
    const authorize = vi.fn<() => boolean>(() => true)
    const { sandbox, next } = await follow({ clock, authorize }, { before: askTwo })
    await next()
    authorize.mockImplementation(refuse)
    await submitAnswer(sandbox, { toolCallId: 'a', answers, status: 'pending' })
    await expect(next()).rejects.toThrow('The stream ended')
    expect(clock.longTimers()).toEqual([])
  })

  it('whose rights change while nothing happens gets the list again', async () => {
    const clock = recheckClock()
    let visible = ['a']
    const authorize = (_: Request, { toolCallId }: { toolCallId: string }) => visible.includes(toolCallId)
    const { next } = await follow({ clock, authorize }, { before: askTwo })
    expect(idsIn(await next())).toEqual(['a'])
    for (visible of [['a', 'b'], ['b'], []]) {
      const list = next()
      await clock.recheck()
      expect(idsIn(await list)).toEqual(visible)
    }
    const event = next()
    await clock.recheck()
    visible = ['a']
    // The check before this one found nothing to tell.
    await clock.recheck()
    expect(idsIn(await event)).toEqual(['a'])
  })

  it('who is nobody any more loses the stream though nothing is asked', async () => {
    const clock = recheckClock()
    const place = await tempSandbox()
    const sandbox = vi.fn(async () => place)
    const { next } = await follow({ clock, sandbox })
    await next()
    const event = next()
    sandbox.mockRejectedValue(new AskError('UNAUTHENTICATED', 'Sign in first'))
    await clock.recheck()
    await expect(event).rejects.toThrow('The stream ended')
  })

  it('whom the host does not know is told so', async () => {
    const authorize = () => {
      throw new AskError('UNAUTHENTICATED', 'Sign in first')
    }
    expect((await follow({ authorize }, { before: askTwo })).response.status).toBe(401)
  })

  it('with an answer link sees its question alone', async () => {
    const page = 'https://app.example/answer'
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const sandbox = await tempSandbox()
    await askTwo(sandbox)
    const link = await createAnswerLink(sandbox, { toolCallId: 'b', page }, { signingKeys })
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
    const headers = { ...EVENTS, authorization: `Bearer ${token}` }
    const { GET } = createAnswerHandler({ sandbox, links: { page }, signingKeys })
    const next = eventsOf((await GET(new Request('http://host/api/answer', { headers }))).body)
    expect(idsIn(await next())).toEqual(['b'])
    await ask(sandbox, 'c')
    await submitAnswer(sandbox, { toolCallId: 'b', answers, status: 'pending' }, { signingKeys })
    expect(await next()).toMatchObject({ data: { toolCallId: 'b', revision: 1 } })
    const nobody = eventsOf((await GET(new Request('http://host/api/answer', { headers: EVENTS }))).body)
    expect(idsIn(await nobody())).toEqual([])
  })

  it('is in the log of decisions', async () => {
    const decisions: unknown[] = []
    await follow({ onDecision: ({ at, ...decision }) => decisions.push(decision) }, { before: askTwo })
    expect(decisions).toEqual([{ action: 'follow', outcome: 'OK' }])
  })
})

describe('createAgents', () => {
  it.each(['web', 'node'] as const)('streams what waits, by %s', async (kind) => {
    const sandbox = await tempSandbox()
    const agents = createAgents({
      agent: 'command',
      folder: sandbox.workdir,
      user: (request) => request.headers.get('x-user'),
    })
    const url = await serve(kind === 'node' ? agents.node : toNodeHandler({ GET: agents.web.GET }))
    const client = new AbortController()
    onTestFinished(() => client.abort())
    const get = (headers: Record<string, string>) => fetch(url, { headers, signal: client.signal })
    expect((await get(EVENTS)).status).toBe(401)
    const next = eventsOf((await get({ ...EVENTS, 'x-user': 'ada' })).body)
    expect(idsIn(await next())).toEqual([])
    await ask(sandbox, 'a')
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'open' } })
    await submitAnswer(sandbox, { toolCallId: 'a', answers, status: 'completed' })
    expect(await next()).toMatchObject({ data: { toolCallId: 'a', state: 'sent' } })
  })
})
