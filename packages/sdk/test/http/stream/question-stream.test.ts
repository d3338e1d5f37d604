import type { Clock, HostChannel, QuestionState, QuestionView } from '@sandagent/core'
import { createFileHostChannel } from '@sandagent/files'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPresenceBook } from '../../../src/http/stream/presence.ts'
import { questionStream } from '../../../src/http/stream/question-stream.ts'
import { createAnswerHandler, type LocalSandbox, submitAnswer, toNodeHandler } from '../../../src/index.ts'
import { serve } from '../../support/serve.ts'
import { ask, picked, settle, tempSandbox } from '../../support/temp-sandbox.ts'

const answers = { 'Which language?': 'Python' }

/** Reads a stream of events: the views one by one, and the comments past so far. */
function readEvents(body: ReadableStream<Uint8Array>): { view(): Promise<QuestionView>; comments: string[] } {
  const lines = linesOf(body)
  const comments: string[] = []
  const view = async (): Promise<QuestionView> => {
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done) throw new Error('The stream ended')
      if (line.startsWith('data: ')) return JSON.parse(line.slice('data: '.length))
      if (line.startsWith(':')) comments.push(line)
    }
  }
  return { view, comments }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** A clock that stands still, with the timers that run on it. */
function stillClock(): Clock & { timers: Set<{ ms: number; fire(): void }> } {
  const timers = new Set<{ ms: number; fire(): void }>()
  return {
    timers,
    now: () => 0,
    after(ms, callback) {
      const timer = {
        ms,
        fire() {
          timers.delete(timer)
          callback()
        },
      }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
}

/** The options of a stream that everybody may see, with a presence that takes no time of the stream's clock. */
const visible = {
  viewerOf: async () => ({}),
  presence: createPresenceBook(createFakeClock()),
  placeOf: (toolCallId: string): [string, object] => [toolCallId, {}],
}

describe('a question as events over HTTP', () => {
  it('comes as it is and after every change, and leaves nothing behind when the client goes', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox })))
    const client = new AbortController()
    await noSystemWatches()
    const response = await fetch(`${url}?toolCallId=toolu_1`, {
      headers: { accept: 'text/event-stream' },
      signal: client.signal,
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const { view } = readEvents(response.body as ReadableStream<Uint8Array>)

    expect(await view()).toMatchObject({ state: 'open', revision: 0 })
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', answers, status: 'pending' })
    expect(await view()).toMatchObject({ state: 'open', revision: 1 })
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', answers })
    expect(await view()).toMatchObject({ state: 'sent', revision: 2 })
    await settle(sandbox, 'toolu_1', { revision: 2, responses: { q1: picked('Python') } })
    expect(await view()).toMatchObject({ state: 'answered' })

    await vi.waitFor(() => expect(systemWatches()).toBeGreaterThan(0))
    client.abort()
    await noSystemWatches()
  })

  it('says that it is neither to be stored nor to be taken for anything else', async () => {
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox: await tempSandbox() })))
    const client = new AbortController()
    onTestFinished(() => client.abort())
    const headers = { accept: 'text/event-stream' }
    const response = await fetch(`${url}?toolCallId=toolu_1`, { headers, signal: client.signal })
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('waits for a question that the runner has not recorded yet', async () => {
    const sandbox = await tempSandbox()
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox })))
    const client = new AbortController()
    const response = await fetch(`${url}?toolCallId=toolu_1`, {
      headers: { accept: 'text/event-stream' },
      signal: client.signal,
    })
    expect(response.status).toBe(200)
    const { view } = readEvents(response.body as ReadableStream<Uint8Array>)
    expect(await view()).toMatchObject({ following: ['toolu_1'], refused: [{ toolCallId: 'toolu_1' }] })
    await ask(sandbox, 'toolu_1')
    expect(await view()).toMatchObject({ toolCallId: 'toolu_1', state: 'open' })
    client.abort()
  })
})

describe('a person who loses the right to see a question', () => {
  /** A stream of two questions, of which one is recorded, for somebody whose rights the test takes away. */
  async function streamFor(): Promise<{
    sandbox: LocalSandbox
    clock: ReturnType<typeof stillClock>
    view: () => Promise<QuestionView>
    revoke: () => void
  }> {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const clock = stillClock()
    let isAllowed = true
    const { GET } = createAnswerHandler({ sandbox, clock, authorize: () => isAllowed })
    const url = 'http://localhost/?toolCallId=toolu_1&toolCallId=toolu_2'
    const { body } = await GET(new Request(url, { headers: { accept: 'text/event-stream' } }))
    const { view } = readEvents(body as ReadableStream<Uint8Array>)
    expect(await view()).toMatchObject({ following: ['toolu_1', 'toolu_2'] })
    expect(await view()).toMatchObject({ toolCallId: 'toolu_1' })
    return {
      sandbox,
      clock,
      view,
      revoke() {
        isAllowed = false
      },
    }
  }
  /** The timers of the stream. After it, the host waits a moment before it says that the person left. */
  const ownTimers = ({ timers }: ReturnType<typeof stillClock>): number[] =>
    [...timers].map(({ ms }) => ms).filter((ms) => ms >= 15_000)
  /** Lets the time pass after which rights are checked. */
  const recheck = ({ timers }: ReturnType<typeof stillClock>): void =>
    [...timers].find(({ ms }) => ms === 30_000)?.fire()

  it('sees no later event: the stream ends', async () => {
    const { sandbox, clock, view, revoke } = await streamFor()
    revoke()
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', answers, status: 'pending' })
    await expect(view()).rejects.toThrow('The stream ended')
    expect(ownTimers(clock)).toEqual([])
  })

  it('loses the stream within half a minute, though nothing happens', async () => {
    const { clock, view, revoke } = await streamFor()
    const next = view()
    await vi.waitFor(() => expect([...clock.timers].map(({ ms }) => ms)).toContain(30_000))
    recheck(clock)
    // A check that is passed sets the next one.
    await vi.waitFor(() => expect([...clock.timers].map(({ ms }) => ms)).toContain(30_000))
    revoke()
    recheck(clock)
    await expect(next).rejects.toThrow('The stream ended')
    expect(ownTimers(clock)).toEqual([])
  })
})

it('authorize is asked when a stream begins, before each event about its question alone, and at intervals', async () => {
  const sandbox = await tempSandbox()
  for (const id of ['toolu_1', 'toolu_2']) await ask(sandbox, id)
  const clock = stillClock()
  const authorize = vi.fn((_: Request, __: { toolCallId: string; record?: unknown }) => true)
  const { GET } = createAnswerHandler({ sandbox, clock, authorize })
  const url = 'http://localhost/?toolCallId=toolu_1&toolCallId=toolu_2'
  const { body } = await GET(new Request(url, { headers: { accept: 'text/event-stream' } }))
  const asked = (): string[] => {
    const calls = authorize.mock.calls.map(([, { toolCallId }]) => toolCallId)
    authorize.mockClear()
    return calls.sort()
  }
  expect(asked()).toEqual(['toolu_1', 'toolu_2'])
  const { view, comments } = readEvents(body as ReadableStream<Uint8Array>)
  for (let event = 0; event < 3; event++) await view()
  expect(asked()).toEqual(['toolu_1', 'toolu_2'])

  for (const status of ['pending', 'completed'] as const) {
    await submitAnswer(sandbox, { toolCallId: 'toolu_2', answers, status })
    expect(await view()).toMatchObject({ toolCallId: 'toolu_2' })
    expect(authorize.mock.calls[0]?.[1]).toMatchObject({ record: { toolCallId: 'toolu_2' } })
    expect(asked()).toEqual(['toolu_2'])
  }

  const next = view()
  const fire = (ms: number): void => [...clock.timers].find((timer) => timer.ms === ms)?.fire()
  fire(15_000)
  await vi.waitFor(() => expect(comments).toHaveLength(2))
  expect(asked()).toEqual([])
  for (let round = 0; round < 2; round++) {
    await vi.waitFor(() => expect([...clock.timers].map(({ ms }) => ms)).toContain(30_000))
    fire(30_000)
    await vi.waitFor(() => expect(authorize).toHaveBeenCalledTimes(2))
    expect(asked()).toEqual(['toolu_1', 'toolu_2'])
  }
  await submitAnswer(sandbox, { toolCallId: 'toolu_1', answers })
  expect(await next).toMatchObject({ toolCallId: 'toolu_1' })
  authorize.mockReturnValue(false)
  fire(30_000)
  await expect(view()).rejects.toThrow('The stream ended')
})

const NOBODY_ASKED = 'Nobody has asked this question yet. It is shown as soon as an agent asks it'

describe('several questions as events over HTTP', () => {
  const follow = async (url: string, toolCallIds: readonly string[]) => {
    const client = new AbortController()
    onTestFinished(() => client.abort())
    const query = new URLSearchParams(toolCallIds.map((id) => ['toolCallId', id]))
    const response = await fetch(`${url}?${query}`, {
      headers: { accept: 'text/event-stream' },
      signal: client.signal,
    })
    return { client, response, ...readEvents(response.body as ReadableStream<Uint8Array>) }
  }

  it('come over one stream, which leaves nothing behind when the client goes', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    await ask(sandbox, 'toolu_2')
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox })))
    await noSystemWatches()
    const { client, view, comments } = await follow(url, ['toolu_1', 'toolu_2', 'toolu_1', 'toolu_3'])
    expect(await view()).toEqual({
      following: ['toolu_1', 'toolu_2', 'toolu_3'],
      refused: [{ toolCallId: 'toolu_3', code: 'NOT_FOUND', message: NOBODY_ASKED }],
    })
    expect(comments).toEqual([])
    const first = [await view(), await view()]
    expect(first.map(({ toolCallId }) => toolCallId).sort()).toEqual(['toolu_1', 'toolu_2'])

    await submitAnswer(sandbox, { toolCallId: 'toolu_2', answers })
    expect(await view()).toMatchObject({ toolCallId: 'toolu_2', state: 'sent' })
    await ask(sandbox, 'toolu_3')
    expect(await view()).toMatchObject({ toolCallId: 'toolu_3', state: 'open' })
    await vi.waitFor(() => expect(systemWatches()).toBeGreaterThan(0))
    client.abort()
    await noSystemWatches()
  })

  it('may be many: the system suspects no leak', async () => {
    const sandbox = await tempSandbox()
    const ids = Array.from({ length: 12 }, (_, n) => `toolu_${n}`)
    for (const id of ids) await ask(sandbox, id)
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const { GET } = createAnswerHandler({ sandbox, authorize: () => true })
    const query = ids.map((id) => `toolCallId=${id}`).join('&')
    const request = new Request(`http://localhost/?${query}`, { headers: { accept: 'text/event-stream' } })
    const { body } = await GET(request)
    const { view } = readEvents(body as ReadableStream<Uint8Array>)
    for (const _ of ids) await view()
    expect(warnings).toEqual([])
    await body?.cancel().catch(() => {})
  })

  it('say of one alone that nobody has asked it, and show it once somebody does', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox })))
    const { view } = await follow(url, ['toolu_2'])
    expect(await view()).toMatchObject({ refused: [{ toolCallId: 'toolu_2', code: 'NOT_FOUND' }] })
    await ask(sandbox, 'toolu_2')
    expect(await view()).toMatchObject({ toolCallId: 'toolu_2', state: 'open' })
    expect(await (await follow(url, ['toolu_2'])).view()).toMatchObject({ toolCallId: 'toolu_2' })
  })

  it('leave out those that the caller may not see, and say so', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'mine')
    await ask(sandbox, 'theirs')
    const authorize = (_: Request, { toolCallId }: { toolCallId: string }) => toolCallId === 'mine'
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox, authorize })))
    const { view } = await follow(url, ['theirs', 'mine'])
    expect(await view()).toEqual({
      following: ['mine'],
      refused: [{ toolCallId: 'theirs', code: 'FORBIDDEN', message: 'This question is not yours to answer' }],
    })
    expect(await view()).toMatchObject({ toolCallId: 'mine' })
    await submitAnswer(sandbox, { toolCallId: 'theirs', answers })
    await submitAnswer(sandbox, { toolCallId: 'mine', answers })
    expect(await view()).toMatchObject({ toolCallId: 'mine', state: 'sent' })

    const refused = await follow(url, ['theirs', 'others'])
    expect(refused.response.status).toBe(403)
  })

  it('are 100 at most', async () => {
    const sandbox = await tempSandbox()
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox })))
    const { response } = await follow(
      url,
      Array.from({ length: 101 }, (_, index) => `toolu_${index}`),
    )
    expect(response.status).toBe(400)
  })
})

describe('questionStream', () => {
  it('keeps a silent stream open with comments, until it is declined', async () => {
    const sandbox = await tempSandbox()
    const clock = stillClock()
    const channel = createFileHostChannel({ files: sandbox.files })
    const stream = questionStream(channel, ['toolu_1'], { clock, onError: () => {}, ...visible })
    const reader = stream.getReader()
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    for (let round = 0; round < 3; round++) {
      expect(await read()).toBe(': keep-alive\n\n')
      const timer = [...clock.timers].find(({ ms }) => ms === 15_000)
      expect(timer).toBeDefined()
      timer?.fire()
    }
    await reader.cancel()
    expect(clock.timers.size).toBe(0)
  })

  it('breaks off when the question cannot be followed, and tells the host', async () => {
    const sandbox = await tempSandbox()
    const clock = stillClock()
    const failure = new Error('the disk is gone')
    const errors: unknown[] = []
    const channel: HostChannel = {
      ...createFileHostChannel({ files: sandbox.files }),
      // biome-ignore lint/correctness/useYield: it fails before the first value
      async *subscribe() {
        throw failure
      },
    }
    const stream = questionStream(channel, ['toolu_1'], {
      clock,
      onError: (error) => errors.push(error),
      ...visible,
    })
    await expect(readEvents(stream).view()).rejects.toBe(failure)
    expect(errors).toEqual([failure])
    expect(clock.timers.size).toBe(0)
  })

  it('keeps only the latest state of each question for a reader that is slow', async () => {
    const sandbox = await tempSandbox()
    const clock = stillClock()
    const state = (revision: number): QuestionState => ({
      toolCallId: 'toolu_1',
      answerFile: {
        questions: [],
        answers: {},
        status: 'pending',
        timestamp: '2026-01-01T00:00:00Z',
        revision,
      },
    })
    let ended = false
    const channel: HostChannel = {
      ...createFileHostChannel({ files: sandbox.files }),
      async *subscribe() {
        for (let revision = 1; revision <= 1000; revision++) yield state(revision)
        ended = true
      },
    }
    const { view } = readEvents(
      questionStream(channel, ['toolu_1'], { clock, onError: () => {}, ...visible }),
    )
    const revisions = [(await view()).revision]
    await vi.waitFor(() => expect(ended).toBe(true))
    while (revisions.at(-1) !== 1000) revisions.push((await view()).revision)
    expect(revisions.length).toBeLessThan(10)
  })
})
