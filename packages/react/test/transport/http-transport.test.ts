import type { ServerResponse } from 'node:http'
import type { Clock, PageAnswer, QuestionView } from '@sandagent/core/internal'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHttpTransport } from '../../src/index.ts'
import { type AnswerServer, startAnswerServer } from '../answer-server.ts'

let server: AnswerServer
beforeEach(async () => {
  server = await startAnswerServer()
})
afterEach(() => server.close())

const submission: PageAnswer = {
  toolCallId: 'call/1 ä',
  questions: [{ id: 'q1', question: 'Go on?' }],
  answers: { 'Go on?': 'Yes' },
  responses: { q1: { selected: [], freeText: 'Yes', source: 'human' } },
  status: 'completed',
}
const view: QuestionView = {
  toolCallId: submission.toolCallId,
  kind: 'question',
  state: 'open',
  questions: submission.questions,
  responses: {},
  revision: 0,
  declined: false,
  deadline: null,
  remainingMs: null,
}

/** A clock whose delays end when the test says so; that of gathering what to follow ends at once. */
function heldClock(): Clock & { delays: number[]; ring(ms: number): void } {
  const timers = new Map<() => void, number>()
  return {
    now: () => 0,
    after(ms, callback) {
      timers.set(callback, ms)
      if (ms <= 20) queueMicrotask(() => timers.delete(callback) && callback())
      return () => timers.delete(callback)
    },
    get delays() {
      return [...timers.values()]
    },
    ring(delay) {
      for (const [callback, ms] of timers) if (ms === delay && timers.delete(callback)) callback()
    },
  }
}

describe('send', () => {
  const send = async (status: number, body: unknown) => {
    const sent = createHttpTransport({ answerEndpoint: server.url }).send(submission)
    await vi.waitFor(() => expect(server.posts).toHaveLength(1))
    server.posts[0]?.reply(status, body)
    return sent
  }

  it('posts the answer with the extra fields, which take the place of none of its own', async () => {
    const sent = createHttpTransport({
      answerEndpoint: server.url,
      extraBody: { sessionId: 's1', toolCallId: 'another' },
      headers: { authorization: 'Bearer token' },
    }).send(submission)
    await vi.waitFor(() => expect(server.posts).toHaveLength(1))
    server.posts[0]?.succeed(4)
    expect(await sent).toEqual({ revision: 4 })
    expect(server.posts[0]).toMatchObject({
      body: { ...submission, sessionId: 's1', browser: expect.stringMatching(/^[a-z\d]{10,}$/) },
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    })
  })

  it('is content with a route that says no more than success', async () => {
    expect(await send(200, { success: true })).toEqual({})
  })

  it.each([
    [400, 'INVALID_REQUEST'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [410, 'GONE'],
    [413, 'TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [500, 'UNREACHABLE'],
    [502, 'UNREACHABLE'],
  ])('tells %i apart even where the route says no code', async (status, code) => {
    await expect(send(status, { error: 'no luck' })).rejects.toMatchObject({ code, message: 'no luck' })
  })

  it('hands on the code, the faults and the question of a refusal', async () => {
    const faults = [{ path: 'responses.q1', expected: 'an answer' }]
    const error = { code: 'INVALID_ANSWERS', message: 'Not complete', faults }
    await expect(send(400, { success: false, error, question: view })).rejects.toMatchObject({
      code: 'INVALID_ANSWERS',
      message: 'Not complete',
      faults,
      facts: { status: 400, question: view },
    })
  })

  it('takes no code and no question from a reply that they do not fit', async () => {
    const error = { code: 'toString', faults: ['x', { path: 1 }] }
    await expect(send(409, { error, question: {} })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The answer API replied with 409',
      faults: [],
      facts: { status: 409 },
    })
  })

  it('takes a success that says false for the failure it is', async () => {
    await expect(send(200, { success: false, error: 'disk full' })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'disk full',
    })
  })

  it('takes no page for a receipt', async () => {
    const fetch = async () => new Response('<!doctype html><title>Sign in</title>')
    await expect(createHttpTransport({ fetch }).send(submission)).rejects.toMatchObject({
      code: 'UNREACHABLE',
    })
  })

  it('gives up on a server that never replies', async () => {
    const clock = heldClock()
    const sent = createHttpTransport({ answerEndpoint: server.url, clock }).send(submission)
    await vi.waitFor(() => expect(server.posts).toHaveLength(1))
    clock.ring(30_000)
    await expect(sent).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(clock.delays).toEqual([])
  })
})

describe('subscribe', () => {
  const listen = (clock: Clock = heldClock(), answerEndpoint = server.url) => {
    const onView = vi.fn()
    const { subscribe } = createHttpTransport({ answerEndpoint, headers: { 'x-token': 't' }, clock })
    return { onView, stop: subscribe?.(submission.toolCallId, onView) ?? (() => {}) }
  }
  const connected = (times: number) => vi.waitFor(() => expect(server.follows).toHaveLength(times))

  it('reports every view, and leaves when it is told to', async () => {
    const clock = heldClock()
    const { onView, stop } = listen(clock)
    await vi.waitFor(() => expect(server.streams).toBe(1))
    expect(server.follows[0]).toMatchObject({ accept: 'text/event-stream', 'x-token': 't' })
    server.show(view)
    server.show({ ...view, revision: 1 })
    await vi.waitFor(() => expect(onView.mock.calls).toEqual([[view], [{ ...view, revision: 1 }]]))
    stop()
    await vi.waitFor(() => expect(server.streams).toBe(0))
    await vi.waitFor(() => expect(clock.delays).toEqual([]))
  })

  it('asks for one tool call, and keeps the query that the endpoint has', async () => {
    let url: string | undefined
    server.onGet = (request, response) => {
      url = request.url
      response.writeHead(405).end()
    }
    listen(heldClock(), `${server.url}?session=1`)
    await vi.waitFor(() =>
      expect(url).toMatch(/^\/api\/answer\?session=1&toolCallId=call%2F1%20%C3%A4&browser=[a-z\d]{10,}$/),
    )
  })

  it('connects again after pauses that grow, and start over with every view', async () => {
    const clock = heldClock()
    const { onView, stop } = listen(clock)
    const pausing = (ms: number) => vi.waitFor(() => expect(clock.delays).toEqual([ms]))
    server.onGet = (_, response) => void response.destroy()
    await vi.waitFor(() => expect(server.follows).toHaveLength(1))
    server.hangUp()
    for (const ms of [500, 1000, 2000, 4000, 8000, 15_000]) {
      await pausing(ms)
      clock.ring(ms)
    }
    await pausing(15_000)

    server.onGet = undefined
    clock.ring(15_000)
    await vi.waitFor(() => expect(server.streams).toBe(1))
    server.show(view)
    await vi.waitFor(() => expect(onView).toHaveBeenCalledOnce())
    server.hangUp()
    await pausing(500)
    stop()
    await vi.waitFor(() => expect(clock.delays).toEqual([]))
  })

  it('takes a long silence for a dead connection', async () => {
    const clock = heldClock()
    const { stop } = listen(clock)
    await vi.waitFor(() => expect(server.streams).toBe(1))
    clock.ring(60_000)
    await vi.waitFor(() => expect(clock.delays).toEqual([500]))
    await vi.waitFor(() => expect(server.streams).toBe(0))
    clock.ring(500)
    await connected(2)
    stop()
  })

  const reply = (status: number, body: string, type = 'application/json') => {
    server.onGet = (_, response: ServerResponse) =>
      response.writeHead(status, { 'content-type': type }).end(body)
  }

  it.each([404, 405, 501, 401, 403])('leaves an API alone that says %i', async (status) => {
    reply(status, 'no')
    const clock = heldClock()
    const { onView } = listen(clock)
    await connected(1)
    await vi.waitFor(() => expect(clock.delays).toEqual([]))
    expect(onView).not.toHaveBeenCalled()
  })

  it.each([
    ['an answer', 'application/json'],
    ['the page of another program', 'text/html'],
    ['a stream whose headers something has taken away', ''],
  ])('leaves an API alone that has %s where the event stream should be, and says so', async (_, type) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    server.onGet = (_, response: ServerResponse) =>
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end('{}')
    const clock = heldClock()
    listen(clock)
    await connected(1)
    await vi.waitFor(() => expect(clock.delays).toEqual([]))
    expect(warned.mock.calls).toEqual([[expect.stringContaining(`replied with ${type || null}`)]])
    expect(warned.mock.calls[0]?.[0]).toContain(server.url)
  })

  it.each([
    [404, '{"success":false,"error":{"code":"NOT_FOUND"}}'],
    [503, ''],
    [429, ''],
  ])('asks again after %i %s', async (status, body) => {
    reply(status, body)
    const clock = heldClock()
    const { stop } = listen(clock)
    await vi.waitFor(() => expect(clock.delays).toEqual([500]))
    clock.ring(500)
    await connected(2)
    stop()
  })

  it('passes over events that hold no view', async () => {
    reply(200, 'data: {}\n\ndata: nonsense\n\nevent: other\n\ndata: null\n\n', 'text/event-stream')
    const clock = heldClock()
    const { onView, stop } = listen(clock)
    await vi.waitFor(() => expect(clock.delays).toEqual([500]))
    expect(onView).not.toHaveBeenCalled()
    stop()
  })
})
