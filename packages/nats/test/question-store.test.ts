import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { type Clock, systemClock } from '@sandagent/core/internal'
import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createNatsFleet, createNatsQuestions } from '../src/index.ts'

const FACTS = { runId: 'run-1', askedAt: '2026-01-01T00:00:00.000Z', isSettled: false }

async function ends() {
  const server = await natsServer()
  const fleet = createNatsFleet({ servers: server.url })
  onTestFinished(() => fleet.close())
  await fleet.questions('run-1').read([]) // The bucket is made by a host.
  const runner = createNatsQuestions({ servers: server.url, namespace: 'run-1' })
  onTestFinished(() => runner.close())
  return { server, fleet, host: fleet.questions('run-1'), runner }
}

/** Half of a pair of UTF-16 has no UTF-8. */
const utf8 = (text: string) => Buffer.from(text).toString()

/** The object, with other methods. */
const changed = <T extends object>(object: T, others: Partial<T>): T =>
  new Proxy(object, {
    get(target, name) {
      const value = Reflect.get(name in others ? others : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** What a subscription yields, as it comes. */
function collected(store: QuestionStore, options = {}) {
  const stop = new AbortController()
  const lists: (readonly StoredQuestion[])[] = []
  const done = (async () => {
    for await (const list of store.subscribe(stop.signal, options)) lists.push(list)
  })()
  onTestFinished(async () => {
    stop.abort()
    await done
  })
  return {
    lists,
    stop,
    done,
    last: (id: string) => lists.flat().findLast(({ toolCallId }) => toolCallId === id),
  }
}

describe.runIf(hasNatsServer)('questions in NATS', () => {
  it('each end reads what the other has written', async () => {
    const { host, runner } = await ends()
    expect(await host.read(['t1'])).toEqual([{ toolCallId: 't1', record: null, answer: null }])
    const asked = await runner.writeRecord('t1', 'record', { expected: null, facts: FACTS })
    expect(asked).toMatchObject({ record: { text: 'record' }, answer: null })
    const answered = await host.writeAnswer('t1', 'answer', { expected: null })
    expect(answered).toMatchObject({ record: { text: 'record' }, answer: { text: 'answer' } })
    expect(await runner.read(['t1', 't2'])).toEqual([
      answered,
      { toolCallId: 't2', record: null, answer: null },
    ])
  })

  it('exactly one of many writers from the same version succeeds', async () => {
    const { host, runner } = await ends()
    const write = (store: QuestionStore, text: string, expected: string | null) =>
      store.writeAnswer('t1', text, { expected })
    for (let round = 0, expected: string | null = null; round < 5; round++) {
      const written = await Promise.all(
        Array.from({ length: 10 }, (_, n) => write(n % 2 ? host : runner, `${round}.${n}`, expected)),
      )
      const winners = written.filter((found) => found !== null)
      expect(winners).toHaveLength(1)
      expect(await runner.read(['t1'])).toEqual(winners)
      expected = winners[0]?.answer?.version ?? ''
    }
  })

  it('of two writers at the same time, at least one learns of the other', async () => {
    const { host, runner } = await ends()
    for (let n = 0; n < 200; n++) {
      const [asked, answered] = await Promise.all([
        runner.writeRecord(`t${n}`, 'record', { expected: null, facts: FACTS }),
        host.writeAnswer(`t${n}`, 'answer', { expected: null }),
      ])
      expect(asked?.answer ?? answered?.record, `t${n}`).toBeTruthy()
    }
  })

  it('a read sees what others have just written', async () => {
    const { host, runner } = await ends()
    let expected: string | null = null
    for (let n = 0; n < 100; n++) {
      const [writer, reader] = n % 2 ? [host, runner] : [runner, host]
      const written: StoredQuestion | null = await writer.writeAnswer('t1', `${n}`, { expected })
      expected = written?.answer?.version ?? ''
      expect((await reader.read(['t1']))[0]?.answer?.text).toBe(`${n}`)
    }
  })

  it('every id is its own, whatever it is', async () => {
    const { host, runner } = await ends()
    const ids = [
      '',
      '.',
      '*',
      '>',
      'a b',
      '../x',
      '\0',
      'ü'.repeat(3000),
      '\ud800',
      '\ud801',
      'h',
      'i',
      'other',
    ]
    for (const id of ids) {
      await runner.writeRecord(id, `record of ${id}`, { expected: null, facts: FACTS })
      await host.writeAnswer(id, `answer to ${id}`, { expected: null })
    }
    const found = await runner.read(ids)
    expect(found.map(({ toolCallId }) => toolCallId)).toEqual(ids)
    for (const { toolCallId, record, answer } of found)
      expect([record?.text, answer?.text]).toEqual(
        [`record of ${toolCallId}`, `answer to ${toolCallId}`].map(utf8),
      )
    expect(new Set((await host.list()).map(({ toolCallId }) => toolCallId))).toEqual(new Set(ids))
  })

  it('lists come by time and id, in pages, and without settled questions if asked so', async () => {
    const { runner, host } = await ends()
    const write = (id: string, askedAt: string, isSettled = false) =>
      runner.writeRecord(id, id, { expected: null, facts: { ...FACTS, askedAt, isSettled } })
    await write('b', '2026-01-01T00:00:00.000Z')
    await write('a', '2026-01-01T00:00:00.000Z')
    await write('c', '2025-01-01T00:00:00.000Z')
    await write('d', '2026-01-02T00:00:00.000Z', true)
    await host.writeAnswer('without a record', 'answer', { expected: null })
    const ids = (list: StoredQuestion[]) => list.map(({ toolCallId }) => toolCallId)
    expect(ids(await host.list())).toEqual(['c', 'a', 'b', 'd'])
    expect(ids(await host.list({ unsettled: true }))).toEqual(['c', 'a', 'b'])
    const after = { askedAt: '2026-01-01T00:00:00.000Z', toolCallId: 'a' }
    expect(ids(await host.list({ limit: 1, after }))).toEqual(['b'])
    expect(ids(await host.list({ after, limit: 5 }))).toEqual(['b', 'd'])
  })

  it('a host begins an answer with what its view has, and nothing is written behind an older record', async () => {
    const { host, runner } = await ends()
    expect(await host.latest?.('t1')).toBeNull()
    const asked = await runner.writeRecord('t1', 'record', { expected: null, facts: FACTS })
    await vi.waitFor(async () => expect(await host.latest?.('t1')).toEqual(asked))
    const version = asked?.record?.version ?? null
    await runner.writeRecord('t1', 'another', { expected: version, facts: FACTS })
    const old = { expected: null, asked: { record: {} as never, version: version ?? '' } }
    await vi.waitFor(async () => expect((await host.latest?.('t1'))?.record?.text).toBe('another'))
    expect(await host.writeAnswer('t1', 'answer', old)).toBeNull()
    expect((await host.read(['t1']))[0]?.answer).toBeNull()
  })

  it('a subscription begins with what is there, and yields each question that changes', async () => {
    const { host, runner } = await ends()
    await runner.writeRecord('t1', 'record', { expected: null, facts: FACTS })
    const [all, fresh, one] = [{}, { onlyAnswers: true }, { toolCallId: 't2' }].map((options) =>
      collected(host, options),
    )
    await vi.waitFor(() => expect([all, fresh, one].map((found) => found?.lists.length)).toEqual([1, 1, 1]))
    expect(all?.lists[0]).toMatchObject([{ toolCallId: 't1' }])
    expect(fresh?.lists[0]).toEqual([])
    expect(one?.lists[0]).toEqual([])
    const answered = await host.writeAnswer('t2', 'answer', { expected: null })
    await vi.waitFor(() => {
      for (const found of [all, fresh, one]) expect(found?.last('t2')).toEqual(answered)
    })
    await host.writeAnswer('t1', 'answer', { expected: null })
    await vi.waitFor(() => expect(fresh?.last('t1')?.answer?.text).toBe('answer'))
    expect(one?.last('t1')).toBeUndefined()
  })

  it('a subscription misses nothing while its server is away, and an old version never follows a newer one', async () => {
    const { server, host, runner } = await ends()
    const found = collected(runner)
    await vi.waitFor(() => expect(found.lists).toHaveLength(1))
    for (let n = 0; n < 3; n++) {
      await server.restart()
      const write = async () => {
        const [before] = await host.read(['t1'])
        const written = await host.writeAnswer('t1', `${n}`, { expected: before?.answer?.version ?? null })
        expect(written).not.toBeNull()
      }
      await vi.waitFor(write)
      await vi.waitFor(() => expect(found.last('t1')?.answer?.text).toBe(`${n}`))
    }
    const versions = found.lists.flat().map(({ answer }) => Number.parseInt(answer?.version ?? '', 10))
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
  })

  it('without a server, everything is UNREACHABLE', async () => {
    const { server, host, runner } = await ends()
    await server.signal('SIGKILL')
    const refuses = async (store: QuestionStore) => {
      await expect(store.read(['t1'])).rejects.toMatchObject({ code: 'UNREACHABLE' })
      const writing = store.writeAnswer('t1', 'answer', { expected: null })
      await expect(writing).rejects.toMatchObject({ code: 'UNREACHABLE' })
    }
    await Promise.all([host, runner].map(refuses))
    const later = createNatsFleet({ servers: server.url })
    await expect(later.unsettled()).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await server.restart()
    await vi.waitFor(async () => expect(await later.unsettled()).toEqual([]))
    await later.close()
  })

  it('a text that NATS does not take is TOO_LARGE, and the message says what to do', async () => {
    const { host } = await ends()
    const writing = host.writeAnswer('t1', 'x'.repeat(1_048_576), { expected: null })
    await expect(writing).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('max_payload'),
    })
    expect(await host.writeAnswer('t1', 'x'.repeat(1_000_000), { expected: null })).toBeTruthy()
    const long = host.writeAnswer('ü'.repeat(20_000), 'x'.repeat(1_000_000), { expected: null })
    await expect(long).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('a write returns its own text, also if it was replaced since then', async () => {
    const { server, fleet, host } = await ends()
    const real = await connect({ servers: server.url })
    onTestFinished(() => real.close())
    let isReplaced = false
    const request: NatsConnection['request'] = async (subject, payload, options) => {
      const response = await real.request(subject, payload, options)
      if (!subject.includes('.a.') || isReplaced) return response
      isReplaced = true
      await host.writeAnswer('t1', 'later', { expected: options?.headers?.get('Sandagent-Version') ?? '' })
      await slow.questions('run-1').read(['t1'])
      return response
    }
    const slow = createNatsFleet({ connection: changed(real, { request }) })
    onTestFinished(() => slow.close())
    const written = await slow.questions('run-1').writeAnswer('t1', 'first', { expected: null })
    expect(written?.answer?.text).toBe('first')
    expect((await fleet.questions('run-1').read(['t1']))[0]?.answer?.text).toBe('later')
    expect(written?.answer?.version).not.toBe('')
  })

  it('a read and a write wait for their own messages, whatever sequences the consumer says', async () => {
    const { server, host } = await ends()
    const real = await connect({ servers: server.url })
    onTestFinished(() => real.close())
    let more = 1000
    const subscribe: NatsConnection['subscribe'] = (subject, options) =>
      real.subscribe(subject, {
        ...options,
        callback(error, message) {
          const words = message.reply?.split('.') ?? []
          if (words[1] !== 'ACK') return options?.callback?.(error, message)
          words[5] = String(Number(words[5]) + more)
          const later = changed(message, { reply: words.join('.') })
          setTimeout(() => options?.callback?.(error, later), 20)
        },
      })
    const slow = createNatsFleet({ connection: changed(real, { subscribe }) })
    onTestFinished(() => slow.close())
    const store = slow.questions('run-1')
    for (let expected: string | null = null, n = 0; n < 4; n++) {
      if (n === 2) more = 0
      const written: StoredQuestion | null = await host.writeAnswer('t1', `${n}`, { expected })
      expect(await store.read(['t1'])).toEqual([written])
      const again = await store.writeAnswer('t1', `${n} again`, {
        expected: written?.answer?.version ?? null,
      })
      expected = again?.answer?.version ?? ''
      expect(await host.read(['t1'])).toEqual([again])
    }
  })

  it('a subscription whose consumer sends nothing but heartbeats gets another one', {
    timeout: 60_000,
  }, async () => {
    const { server, host } = await ends()
    const real = await connect({ servers: server.url })
    onTestFinished(() => real.close())
    let isSilent = false
    const subscribe: NatsConnection['subscribe'] = (subject, options) => {
      if (isSilent) return real.subscribe(subject, options)
      return real.subscribe(subject, {
        ...options,
        callback(error, message) {
          if (!isSilent) options?.callback?.(error, message)
          else if (message.headers?.code === 100)
            options?.callback?.(error, changed(message, { headers: headers(100) }))
        },
      })
    }
    /** Does not wait 20 seconds for the next look. */
    const clock: Clock = {
      ...systemClock,
      after: (ms, callback) => systemClock.after(ms === 20_000 ? 50 : ms, callback),
    }
    const reader = createNatsQuestions({
      connection: changed(real, { subscribe }),
      namespace: 'run-1',
      clock,
    })
    onTestFinished(() => reader.close())
    const found = collected(reader)
    await vi.waitFor(() => expect(found.lists).toHaveLength(1))
    isSilent = true
    await host.writeAnswer('t1', 'answer', { expected: null })
    await vi.waitFor(() => expect(found.last('t1')?.answer?.text).toBe('answer'))
  })
})
