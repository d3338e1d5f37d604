import { once } from 'node:events'
import type { Clock, HostChannel, QuestionState, QuestionView } from '@sandagent/core'
import { type Presence, systemClock } from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPresenceBook, presenceOf } from '../../../src/http/stream/presence.ts'
import { questionStream } from '../../../src/http/stream/question-stream.ts'
import { createAnswerHandler, LocalSandbox, type Policy, toNodeHandler } from '../../../src/index.ts'
import { post, serve } from '../../support/serve.ts'
import { ask, picked, settle, tempSandbox } from '../../support/temp-sandbox.ts'

/** What a stream has sent so far: the latest view of a call, and who else has it open. */
interface Seen {
  view?: QuestionView
  people: Presence['people']
  /** The names of all events. */
  events: string[]
  leave(): void
}

/** Follows `toolu_1` over HTTP, as this caller. */
async function follow(url: string, headers: Record<string, string> = {}, query = ''): Promise<Seen> {
  const client = new AbortController()
  onTestFinished(() => client.abort())
  const response = await fetch(`${url}?toolCallId=toolu_1${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: client.signal,
  })
  expect(response.status).toBe(200)
  const seen: Seen = { people: [], events: [], leave: () => client.abort() }
  const read = async (): Promise<void> => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.+)$/m.exec(block)?.[1]
        if (data === undefined) continue
        const name = /^event: (.+)$/m.exec(block)?.[1] ?? 'view'
        seen.events.push(name)
        const value = JSON.parse(data)
        if (name === 'view') seen.view = value
        seen.people = value.people
      }
    }
  }
  // The test ends the stream in the middle. A stream that failed shows no view.
  void read().catch(() => {})
  await vi.waitFor(() => expect(seen.view).toBeDefined())
  return seen
}

const draft = (label: string, more: object = {}) => ({
  toolCallId: 'toolu_1',
  status: 'pending',
  responses: { q1: { selected: [label] } },
  ...more,
})

const ADA = { 'x-user': 'Ada' }
const BEN = { 'x-user': 'Ben' }

/** A host that knows its callers by a header. It lets nobody else in. */
async function hostWithNames(
  clock: Clock = systemClock,
  policy?: Policy,
): Promise<{ url: string; sandbox: LocalSandbox }> {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1')
  const authorize = ({ headers }: Request) => {
    const answeredBy = headers.get('x-user')
    return answeredBy !== null && { answeredBy }
  }
  return {
    sandbox,
    url: await serve(toNodeHandler(createAnswerHandler({ sandbox, authorize, clock, policy }))),
  }
}

/** A host that knows no names. */
async function hostWithoutNames(clock: Clock = systemClock): Promise<string> {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1')
  return serve(toNodeHandler(createAnswerHandler({ sandbox, clock })))
}

const names = ({ people }: Seen): unknown[] => people.map(({ name, isTyping }) => [name, isTyping])

describe('people who have the same question open', () => {
  it('see each other come, type and go, but never themselves', async () => {
    const clock = createFakeClock()
    const { url } = await hostWithNames(clock)
    const ada = await follow(url, ADA)
    expect(ada.people).toEqual([])
    const ben = await follow(url, BEN)
    await vi.waitFor(() => expect(names(ada)).toEqual([['Ben', false]]))
    await vi.waitFor(() => expect(names(ben)).toEqual([['Ada', false]]))

    await post(url, draft('Python'), BEN)
    await vi.waitFor(() => expect(names(ada)).toEqual([['Ben', true]]))
    clock.advance(6_000)
    await vi.waitFor(() => expect(names(ada)).toEqual([['Ben', false]]))
    expect(names(ben)).toEqual([['Ada', false]])

    ben.leave()
    await vi.waitFor(() => {
      clock.advance(3_000)
      expect(ada.people).toEqual([])
    })
  })

  it('are not shown to somebody who may not answer', async () => {
    const { url } = await hostWithNames(createFakeClock(), [{ people: ['Ada', 'Ben'] }])
    const ada = await follow(url, ADA)
    const eve = await follow(url, { 'x-user': 'Eve' })
    await follow(url, BEN)
    await post(url, draft('Python'), BEN)
    await vi.waitFor(() => expect(names(ada)).toContainEqual(['Ben', true]))
    await post(url, { toolCallId: 'toolu_1', status: 'declined' }, BEN)
    await vi.waitFor(() => expect(eve.view?.state).toBe('sent'))
    expect(eve.people).toEqual([])
    expect(eve.events).not.toContain('presence')
  })

  it('are one person in two tabs, who stays until the last one is closed', async () => {
    const clock = createFakeClock()
    const { url } = await hostWithNames(clock)
    const ben = await follow(url, BEN)
    const first = await follow(url, ADA)
    const second = await follow(url, ADA)
    await vi.waitFor(() => expect(names(ben)).toEqual([['Ada', false]]))
    await post(url, draft('Python'), ADA)
    await vi.waitFor(() => expect(names(ben)).toEqual([['Ada', true]]))
    expect(names(second)).toEqual([['Ben', false]])

    first.leave()
    const third = await follow(url, { 'x-user': 'Cem' })
    clock.advance(10_000)
    await vi.waitFor(() => expect(names(third)).toContainEqual(['Ada', false]))
    second.leave()
    await vi.waitFor(() => {
      clock.advance(3_000)
      expect(names(third)).toEqual([['Ben', false]])
    })
  })

  it('are not seen by callers who may not answer', async () => {
    const { url } = await hostWithNames()
    await follow(url, ADA)
    await post(url, draft('Python'), ADA)
    const stranger = await fetch(`${url}?toolCallId=toolu_1`, { headers: { accept: 'text/event-stream' } })
    expect(stranger.status).toBe(403)
    expect(await stranger.text()).not.toContain('Ada')
  })

  it('are seen no more when the right to answer has ended', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const allowed = new Set(['Ada', 'Ben'])
    const authorize = ({ headers }: Request) => {
      const answeredBy = headers.get('x-user') ?? ''
      return allowed.has(answeredBy) && { answeredBy }
    }
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox, authorize })))
    const ada = await follow(url, ADA)
    allowed.delete('Ada')
    const ben = await follow(url, BEN)
    await post(url, draft('Python'), BEN)
    await vi.waitFor(() => expect(ben.people).toEqual([]))
    expect(ada.people).toEqual([])
    expect(ada.view?.otherDrafts).toEqual([])
  })

  it('are different people for each browser if the host knows no names', async () => {
    const url = await hostWithoutNames(createFakeClock())
    const first = await follow(url, {}, '&browser=one')
    const again = await follow(url, {}, '&browser=one')
    const other = await follow(url, {}, '&browser=two')
    await vi.waitFor(() => expect(names(first)).toEqual([[undefined, false]]))
    await vi.waitFor(() => expect(names(again)).toEqual([[undefined, false]]))
    await vi.waitFor(() => expect(names(other)).toEqual([[undefined, false]]))
    await post(url, draft('Python', { browser: 'two' }))
    await vi.waitFor(() => expect(names(first)).toEqual([[undefined, true]]))
    expect(names(other)).toEqual([[undefined, false]])
    expect(JSON.stringify(first)).not.toContain('two')
  })

  it('meet across two handlers of one process', async () => {
    const { url, sandbox } = await hostWithNames()
    const authorize = () => ({ answeredBy: 'Guest' })
    const second = new LocalSandbox({ workdir: sandbox.workdir })
    const guests = await serve(toNodeHandler(createAnswerHandler({ sandbox: second, authorize })))
    const ada = await follow(url, ADA)
    await follow(guests)
    await vi.waitFor(() => expect(names(ada)).toEqual([['Guest', false]]))
  })

  it('cost no reading of files when they come and go', async () => {
    const clock = createFakeClock()
    const book = createPresenceBook(clock)
    let reads = 0
    const state: QuestionState = { toolCallId: 'toolu_1' }
    const channel = {
      async read() {
        reads++
        return state
      },
      async *subscribe(signal: AbortSignal) {
        reads++
        yield state
        await once(signal, 'abort')
      },
    } as unknown as HostChannel
    const stream = questionStream(channel, ['toolu_1'], {
      clock,
      onError: () => {},
      viewerOf: async () => ({}),
      presence: book,
      placeOf: () => ['here', { answeredBy: 'Ada' }],
    })
    const reader = stream.getReader()
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    expect(await next()).toContain('keep-alive')
    expect(await next()).toContain('"state":"open"')
    const leave = book.open('here', { answeredBy: 'Ben' })
    expect(await next()).toMatch(/^event: presence\ndata: .*"Ben","isTyping":false/)
    book.note('here', { answeredBy: 'Ben' }, 'pending')
    expect(await next()).toContain('"isTyping":true')
    leave()
    clock.advance(6_000)
    expect(await next()).toContain('"people":[]')
    expect(reads).toBe(1)
    await reader.cancel()
    expect(clock.pending()).toBe(1)
    clock.advance(3_000)
    expect(clock.pending()).toBe(0)
  })
})

describe('a book of presence', () => {
  it('lists at most 20 people with at most 100 characters of each name', () => {
    const book = createPresenceBook(createFakeClock())
    for (let count = 0; count < 50; count++) book.open('here', { answeredBy: `${'x'.repeat(200)}${count}` })
    const others = book.others('here', { answeredBy: 'Ada' })
    expect(others).toHaveLength(20)
    expect(others.every(({ name }) => name?.length === 100)).toBe(true)
    expect(new Set(others.map(({ id }) => id)).size).toBe(20)
  })

  it('keeps nothing of people who have left', () => {
    const clock = createFakeClock()
    const book = createPresenceBook(clock)
    const leave = book.open('here', { answeredBy: 'Ada' })
    book.note('here', { answeredBy: 'Ada' }, 'pending')
    book.note('here', { answeredBy: 'Ben' }, 'pending')
    leave()
    clock.advance(3_000)
    expect(book.others('here', {})).toHaveLength(2)
    clock.advance(3_000)
    expect(book.others('here', {})).toEqual([])
    expect(clock.pending()).toBe(0)
  })

  /** A book, the changes of one place so far, and who is there. */
  function watched() {
    const clock = createFakeClock()
    const book = createPresenceBook(clock)
    let changes = 0
    const stop = book.onChange('here', () => {
      changes += 1
    })
    const there = (): unknown[] => book.others('here', {}).map(({ name, isTyping }) => [name, isTyping])
    return { clock, book, stop, there, changes: () => changes }
  }

  it('reports each change once, and nothing else', () => {
    const { clock, book, stop, changes } = watched()
    const ada = { answeredBy: 'Ada' }
    const leave = [book.open('here', ada), book.open('here', ada)]
    expect(changes()).toBe(1)
    book.note('here', ada, 'completed')
    expect(changes()).toBe(1)
    book.note('here', ada, 'pending')
    book.note('here', ada, 'pending')
    expect(changes()).toBe(2)
    book.note('here', ada, 'declined')
    expect(changes()).toBe(3)
    for (const end of leave) end()
    expect(changes()).toBe(3)
    clock.advance(3_000)
    expect(changes()).toBe(4)
    stop()
    book.open('here', ada)
    expect(changes()).toBe(4)
  })

  it('reports changes to each listener of a place, and to none of another place', () => {
    const { book, stop, changes } = watched()
    let others = 0
    const count = () => {
      others += 1
    }
    const stopOther = book.onChange('here', count)
    book.onChange('elsewhere', () => {
      throw new Error('Nothing happened there')
    })
    book.open('here', { answeredBy: 'Ada' })
    expect([changes(), others]).toEqual([1, 1])
    stop()
    book.open('here', { answeredBy: 'Ben' })
    expect([changes(), others]).toEqual([1, 2])
    stopOther()
    book.open('here', { answeredBy: 'Cem' })
    expect([changes(), others]).toEqual([1, 2])
  })

  it('keeps a person who opens the question again within three seconds', () => {
    const { clock, book, there, changes } = watched()
    const ada = { answeredBy: 'Ada' }
    book.open('here', ada)()
    clock.advance(2_999)
    const leave = book.open('here', ada)
    clock.advance(10_000)
    expect(there()).toEqual([['Ada', false]])
    leave()
    clock.advance(2_999)
    expect(there()).toEqual([['Ada', false]])
    clock.advance(1)
    expect([there(), clock.pending()]).toEqual([[], 0])
    expect(changes()).toBeGreaterThan(1)
  })

  it('keeps a person who types without a stream, until the typing ends', () => {
    const { clock, book, there } = watched()
    const ada = { answeredBy: 'Ada' }
    book.note('here', ada, 'pending')
    clock.advance(4_000)
    book.note('here', ada, 'pending')
    clock.advance(5_999)
    expect(there()).toEqual([['Ada', true]])
    clock.advance(1)
    expect([there(), clock.pending()]).toEqual([[], 0])
    book.note('here', ada, 'pending')
    book.note('here', ada, 'completed')
    expect([there(), clock.pending()]).toEqual([[], 0])
  })

  it('enters nobody for an answer alone', () => {
    const { book, there, changes } = watched()
    book.note('here', { answeredBy: 'Ada' }, 'completed')
    expect([there(), changes()]).toEqual([[], 0])
  })

  it('has room for another person when one has left', () => {
    const { clock, book, there } = watched()
    const people = Array.from({ length: 20 }, (_, n) => ({ answeredBy: `person ${n}` }))
    const [leave] = people.map((person) => book.open('here', person))
    const late = { answeredBy: 'Late' }
    book.open('here', late)()
    book.note('here', late, 'pending')
    expect(there()).not.toContainEqual(['Late', expect.anything()])
    book.open('here', { answeredBy: 'person 1' })
    leave?.()
    clock.advance(3_000)
    expect(there()).toHaveLength(19)
    book.note('here', late, 'pending')
    expect(there()).toContainEqual(['Late', true])
  })

  it('is one for each clock', () => {
    const [clock, other] = [createFakeClock(), createFakeClock()]
    expect(presenceOf(clock)).toBe(presenceOf(clock))
    expect(presenceOf(clock)).not.toBe(presenceOf(other))
  })

  it('tells a stream of several questions which of them has changed, until it ends', async () => {
    const clock = createFakeClock()
    const book = createPresenceBook(clock)
    const ada = { answeredBy: 'Ada' }
    const channel = {
      async *subscribe(signal: AbortSignal, toolCallId: string) {
        yield { toolCallId }
        await once(signal, 'abort')
      },
    } as unknown as HostChannel
    const stream = questionStream(channel, ['a', 'b'], {
      clock,
      onError: () => {},
      viewerOf: async () => ({}),
      presence: book,
      placeOf: (toolCallId) => [`place ${toolCallId}`, ada],
    })
    const reader = stream.getReader()
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    await next()
    expect([await next(), await next()].map((text) => text.includes('"people":[]'))).toEqual([true, true])
    book.open('place b', { answeredBy: 'Ben' })
    expect(await next()).toMatch(/^event: presence\ndata: {"toolCallId":"b","people":\[{.*"name":"Ben"/)
    for (const place of ['place a', 'place b'])
      expect(book.others(place, {})).toContainEqual(expect.objectContaining({ name: 'Ada' }))
    await reader.cancel()
    clock.advance(3_000)
    expect(book.others('place a', {})).toEqual([])
  })

  it('forgets that a person types when the answer is sent', () => {
    const book = createPresenceBook(createFakeClock())
    book.open('here', { answeredBy: 'Ada' })
    book.note('here', { answeredBy: 'Ada' }, 'pending')
    book.note('here', { answeredBy: 'Ada' }, 'completed')
    expect(book.others('here', {})).toMatchObject([{ name: 'Ada', isTyping: false }])
  })
})

describe('drafts of two people', () => {
  it('stay apart: each sees the own one, and the other one beside it', async () => {
    const { url } = await hostWithNames()
    const ada = await follow(url, ADA)
    const ben = await follow(url, BEN)
    await post(url, draft('Python'), ADA)
    await post(url, draft('TypeScript'), BEN)
    await vi.waitFor(() => {
      expect(ada.view).toMatchObject({
        revision: 1,
        responses: { q1: picked('Python') },
        otherDrafts: [{ name: 'Ben', revision: 2, responses: { q1: picked('TypeScript') } }],
      })
    })
    await vi.waitFor(() => {
      expect(ben.view).toMatchObject({
        revision: 2,
        responses: { q1: picked('TypeScript') },
        otherDrafts: [{ name: 'Ada', revision: 1, responses: { q1: picked('Python') } }],
      })
    })
    const again = await (await fetch(`${url}?toolCallId=toolu_1`, { headers: ADA })).json()
    expect(again).toMatchObject({ responses: { q1: picked('Python') } })
    expect(again.answeredBy).toBeUndefined()
  })

  it('stay apart by browser without names, and have no name', async () => {
    const url = await hostWithoutNames()
    const one = await follow(url, {}, '&browser=one')
    await post(url, draft('Python', { browser: 'two' }))
    await vi.waitFor(() => expect(one.view?.otherDrafts).toHaveLength(1))
    expect(one.view).toMatchObject({ revision: 0, responses: {} })
    expect(one.view?.otherDrafts?.[0]).not.toHaveProperty('name')
    expect(JSON.stringify(one.view)).not.toContain('two')
  })

  it('are one draft for callers who say nothing of themselves', async () => {
    const url = await hostWithoutNames()
    await post(url, draft('Python'))
    const seen = await follow(url)
    expect(seen.view).toMatchObject({ revision: 1, responses: { q1: picked('Python') }, otherDrafts: [] })
  })

  it('end with the first final answer, which says whether it is somebody else’s', async () => {
    const { url, sandbox } = await hostWithNames()
    const ada = await follow(url, ADA)
    const ben = await follow(url, BEN)
    await post(url, draft('Python'), ADA)
    await post(url, draft('TypeScript', { status: 'completed' }), BEN)
    await vi.waitFor(() => {
      expect(ada.view).toMatchObject({ state: 'sent', answeredBy: 'Ben', byOther: true })
      expect(ben.view).toMatchObject({ state: 'sent', answeredBy: 'Ben' })
    })
    expect(ada.view?.otherDrafts).toBeUndefined()
    expect(ben.view?.byOther).toBe(false)
    const refused = await post(url, draft('Python', { status: 'completed' }), ADA)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ question: { byOther: true, answeredBy: 'Ben' } })

    await settle(sandbox, 'toolu_1', {
      revision: 2,
      responses: { q1: picked('TypeScript') },
      answeredBy: 'Ben',
    })
    await vi.waitFor(() => expect(ada.view).toMatchObject({ state: 'answered', byOther: true }))
  })

  it('come with a refusal as the caller sees them', async () => {
    const { url } = await hostWithNames()
    await post(url, draft('Python'), ADA)
    const changed = await post(url, draft('TypeScript', { questionDigest: 'another' }), BEN)
    expect(await changed.json()).toMatchObject({
      question: { responses: {}, otherDrafts: [{ name: 'Ada' }] },
    })
  })
})
