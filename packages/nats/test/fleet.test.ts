import { createHash } from 'node:crypto'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { FILE_ROOM, systemClock } from '@sandagent/core/internal'
import type { QuestionStore } from '@sandagent/core/store'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import type { FleetStore } from '@sandagent/fleet'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createNatsFleet } from '../src/index.ts'
import { AFTER_HEADER, nextVersion, VERSION_HEADER } from '../src/lib/links.ts'

async function twoHosts(): Promise<[FleetStore, FleetStore]> {
  const { url } = await natsServer()
  const fleets = [createNatsFleet({ servers: url }), createNatsFleet({ servers: [url] })] as const
  onTestFinished(async () => void (await Promise.all(fleets.map((fleet) => fleet.close()))))
  return [...fleets]
}

/** NATS gives a request one second otherwise. */
const PATIENT = { timeout: 30_000 }

const ask = (
  store: QuestionStore,
  id: string,
  { askedAt = '2026-01-01T00:00:00.000Z', isSettled = false } = {},
) => store.writeRecord(id, `record of ${id}`, { expected: null, facts: { runId: 'run', askedAt, isSettled } })

async function adminOf(servers: string): Promise<NatsConnection> {
  const admin = await connect({ servers })
  onTestFinished(() => admin.close())
  return admin
}

/** As a restore of an empty copy does. */
async function replaceStream(admin: NatsConnection): Promise<void> {
  const api = async (call: string, body: unknown = '') =>
    (await admin.request(`$JS.API.STREAM.${call}.KV_sandagent`, JSON.stringify(body), PATIENT)).json<{
      config: object
    }>()
  const { config } = await api('INFO', {})
  await admin.request('$JS.API.STREAM.DELETE.KV_sandagent', '', PATIENT)
  await api('CREATE', config)
}

const run = {
  runId: 'run/1',
  namespace: 'run-1',
  metadata: { user: 'Ada' },
  startedAt: '2026-01-01T00:00:00.000Z',
}

describe.runIf(hasNatsServer)('a fleet in NATS', () => {
  it('every host lists the unsettled questions of all namespaces, in pages', async () => {
    const [one, two] = await twoHosts()
    await ask(one.questions('b'), 't1')
    await ask(one.questions('a'), 't2')
    await ask(one.questions('a'), 't1')
    await ask(one.questions('c'), 't1', { askedAt: '2025-01-01T00:00:00.000Z' })
    await ask(one.questions('c'), 't2', { isSettled: true })
    const places = async (options = {}) =>
      (await two.unsettled(options)).map(({ namespace, toolCallId }) => `${namespace}.${toolCallId}`)
    expect(await places()).toEqual(['c.t1', 'a.t1', 'a.t2', 'b.t1'])
    const after = { askedAt: '2026-01-01T00:00:00.000Z', namespace: 'a', toolCallId: 't1' }
    expect(await places({ after, limit: 1 })).toEqual(['a.t2'])
    const [found] = await one.questions('b').read(['t1'])
    const facts = { runId: 'run', askedAt: '2026-01-01T00:00:00.000Z', isSettled: true }
    await one.questions('b').writeRecord('t1', 'settled', { expected: found?.record?.version ?? null, facts })
    expect(await places({ after })).toEqual(['a.t2'])
  })

  it('runs are found by every host, and end unless they were started again', async () => {
    const [one, two] = await twoHosts()
    expect(await two.runs.find('run/1')).toBeNull()
    await one.runs.put(run)
    expect(await two.runs.find('run/1')).toEqual(run)
    const again = { ...run, startedAt: '2026-01-02T00:00:00.000Z', publicKeyIds: ['key'] }
    await two.runs.put(again)
    await one.runs.end({ ...run, endedAt: '2026-01-03T00:00:00.000Z' })
    expect(await one.runs.find('run/1')).toEqual(again)
    const ended = { ...again, endedAt: '2026-01-03T00:00:00.000Z' }
    await Promise.all([one, two].map(({ runs }) => runs.end(ended)))
    expect(await one.runs.find('run/1')).toEqual(ended)
  })

  it('a sweep removes old settled questions with their answers for all hosts, and their ids can be used again', async () => {
    const [one, two] = await twoHosts()
    const [here, there] = [one.questions('a'), two.questions('a')]
    const long = 'x'.repeat(500)
    for (const id of ['t1', 't2', long]) {
      await ask(here, id, { isSettled: id !== 't2' })
      await here.writeAnswer(id, 'answer', { expected: null })
    }
    expect(await one.sweep({ olderThanMs: 3_600_000 })).toBe(0)
    expect(await one.sweep({ olderThanMs: -60_000 })).toBe(2)
    expect(await one.sweep({ olderThanMs: -60_000 })).toBe(0)
    for (const store of [here, there]) {
      const found = await store.read(['t1', 't2', long])
      expect(found.map(({ record, answer }) => [record, answer].filter(Boolean).length)).toEqual([0, 2, 0])
      expect((await store.list()).map(({ toolCallId }) => toolCallId)).toEqual(['t2'])
    }
    expect(await there.writeAnswer('t1', 'again', { expected: null })).toMatchObject({ record: null })
    expect(await ask(there, 't1')).toMatchObject({
      record: { text: 'record of t1' },
      answer: { text: 'again' },
    })
    expect(await here.read(['t1'])).toEqual(await there.read(['t1']))
  })

  it('keeps the pieces of a file once that is given twice', async () => {
    const { url } = await natsServer()
    const fleet = createNatsFleet({ servers: url })
    onTestFinished(() => fleet.close())
    for (const name of ['one', 'one', 'two'])
      await fleet.questions('a').writeFile?.(
        't1',
        (async function* () {
          yield Buffer.from('file')
        })(),
        () => name,
        FILE_ROOM,
      )
    const filter = JSON.stringify({ subjects_filter: '>' })
    const admin = await adminOf(url)
    const { state } = (await admin.request('$JS.API.STREAM.INFO.sandagent_files', filter, PATIENT)).json<{
      state: { subjects: Record<string, number> }
    }>()
    // Each has one piece, and one message that names it.
    expect(Object.keys(state.subjects)).toHaveLength(4)
  })

  it('the traces of a sweep go later, and a host that still remembers them writes all the same', async () => {
    const { url } = await natsServer()
    let ahead = 0
    const clock = {
      now: () => Date.now() + ahead,
      after: (ms: number, callback: () => void) => {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
    }
    const [one, two] = [createNatsFleet({ servers: url, clock }), createNatsFleet({ servers: url })]
    onTestFinished(async () => void (await Promise.all([one, two].map((fleet) => fleet.close()))))
    await ask(two.questions('a'), 't1', { isSettled: true })
    await one.sweep({ olderThanMs: -60_000 })
    await two.questions('a').list()
    ahead = 2 * 3_600_000
    await one.sweep({ olderThanMs: -60_000 })
    expect(await ask(two.questions('a'), 't1')).toMatchObject({ record: { text: 'record of t1' } })
    expect(await one.questions('a').list()).toHaveLength(1)
  })

  it('a bucket that was restored from an older copy is read again', async () => {
    const { url } = await natsServer()
    const fleet = createNatsFleet({ servers: url })
    onTestFinished(() => fleet.close())
    for (const id of ['t1', 't2', 't3']) await ask(fleet.questions('a'), id)
    await replaceStream(await adminOf(url))
    expect(await fleet.questions('a').list()).toEqual([])
    expect(await ask(fleet.questions('a'), 't2')).toMatchObject({ record: { text: 'record of t2' } })
    expect(await fleet.unsettled()).toHaveLength(1)
  })

  it('a write notices a restore, and does not return what was there before', async () => {
    const { url } = await natsServer()
    const fleet = createNatsFleet({ servers: url })
    onTestFinished(() => fleet.close())
    for (const id of ['t1', 't2']) await ask(fleet.questions('a'), id)
    await fleet.questions('a').writeAnswer('t2', 'answer', { expected: null })
    await replaceStream(await adminOf(url))
    expect(await ask(fleet.questions('a'), 't2')).toMatchObject({ answer: null })
  })

  it('a subscription notices a restore without a read', { timeout: 60_000 }, async () => {
    const { url } = await natsServer()
    const fleet = createNatsFleet({ servers: url })
    onTestFinished(() => fleet.close())
    await ask(fleet.questions('a'), 't1')
    const stop = new AbortController()
    const isThere: boolean[] = []
    const following = (async () => {
      for await (const list of fleet.questions('a').subscribe(stop.signal))
        for (const { record } of list) isThere.push(record !== null)
    })()
    await vi.waitFor(() => expect(isThere).toEqual([true]))
    await replaceStream(await adminOf(url))
    await vi.waitFor(() => expect(isThere.at(-1)).toBe(false))
    stop.abort()
    await following
  })

  it('an id can be answered again after a sweep that ended half-way, and the next sweep removes its answer', async () => {
    const { url } = await natsServer()
    const clock = { ...systemClock, now: () => Date.now() + 2 * 3_600_000 }
    const [one, two] = [createNatsFleet({ servers: url }), createNatsFleet({ servers: url, clock })]
    onTestFinished(async () => void (await Promise.all([one, two].map((fleet) => fleet.close()))))
    const admin = await adminOf(url)
    const subjects: Record<string, string> = {}
    for (const id of ['t1', 't2']) {
      const asked = await ask(one.questions('a'), id, { isSettled: true })
      await one.questions('a').writeAnswer(id, 'answer', { expected: null })
      const header = headers()
      header.set(VERSION_HEADER, nextVersion(asked?.record?.version ?? ''))
      header.set(AFTER_HEADER, asked?.record?.version ?? '')
      header.set('Sandagent-Swept', 'true')
      subjects[id] = `$KV.sandagent.a.open.q.i${Buffer.from(id).toString('base64url')}`
      await admin.request(subjects[id], '', { ...PATIENT, headers: header })
    }
    const again = await one.questions('a').writeAnswer('t1', 'again', { expected: null })
    expect(again).toMatchObject({ record: null, answer: { text: 'again' } })
    expect((await two.questions('a').read(['t1']))[0]).toEqual(again)
    await two.sweep({ olderThanMs: -60_000 })
    const info = (
      await admin.request(
        '$JS.API.STREAM.INFO.KV_sandagent',
        '{"subjects_filter":"$KV.sandagent.a.open.*.*"}',
        PATIENT,
      )
    ).json<{ state: { subjects: object } }>()
    expect(Object.keys(info.state.subjects)).toEqual(['$KV.sandagent.a.open.a.idDE'])
  })

  it('a closed fleet ends its subscriptions', async () => {
    const [one] = await twoHosts()
    const stop = new AbortController()
    const following = (async () => {
      for await (const _ of one.questions('a').subscribe(stop.signal));
    })()
    await one.unsettled()
    await one.close()
    await following
    await expect(one.questions('a').read(['t1'])).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  it('a message under a pass that nobody was given is no question', async () => {
    const { url } = await natsServer()
    const secrets = ['a', 'b'].map((letter) => createHash('sha256').update(letter).digest('hex'))
    const [one, two] = secrets.map((secret) => createNatsFleet({ servers: url, secret })) as [
      FleetStore,
      FleetStore,
    ]
    onTestFinished(async () => void (await Promise.all([one, two].map((fleet) => fleet.close()))))
    await ask(one.questions('a'), 't1')
    expect(await two.unsettled()).toEqual([])
    await vi.waitFor(async () => expect(await one.unsettled()).toHaveLength(1))
  })
})
