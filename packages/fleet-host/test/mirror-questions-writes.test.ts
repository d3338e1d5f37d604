import { AskError, type ChannelWarning, type HostChannel } from '@sandagent/core/internal'
import { createRunnerChannel, type QuestionStore } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { answerFileFor, createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fleetSandbox } from '../src/fleet-sandbox.ts'
import { mirrorQuestions } from '../src/mirror-questions.ts'
import { changed, receiptOf } from './support/questions.ts'

const RECORD = openRecord('t1')
const FINAL = answerFileFor('t1', { status: 'completed' })
const OUT_OF_REACH = new AskError('UNREACHABLE', 'Not now')

/** A sandbox in memory, a fleet, and the mirror between them once it starts. */
function mirroring() {
  const clock = createFakeClock()
  const [inside, fleet] = [createMemoryFleet(), createMemoryFleet()]
  const [own, shared] = [inside.questions('sandbox'), fleet.questions('one')]
  const warnings: ChannelWarning[] = []
  const stop = new AbortController()
  let ended: Promise<void> | null = null
  onTestFinished(async () => {
    stop.abort()
    await ended
    await Promise.all([inside.close(), fleet.close()])
  })
  return {
    clock,
    inside,
    fleet,
    own,
    shared,
    warnings,
    runner: createRunnerChannel(own),
    /** Mirrors with what a test changes at the two ends. */
    start({
      channel = () => ({}),
      store = {},
    }: {
      channel?: (channel: HostChannel) => Partial<HostChannel>
      store?: Partial<QuestionStore>
    } = {}): void {
      const questions: QuestionStore = {
        read: shared.read.bind(shared),
        writeRecord: shared.writeRecord.bind(shared),
        writeAnswer: shared.writeAnswer.bind(shared),
        list: shared.list.bind(shared),
        subscribe: shared.subscribe.bind(shared),
        ...store,
      }
      ended = mirrorQuestions(changed(fleetSandbox(inside, 'sandbox'), channel), {
        fleet: { ...fleet, questions: () => questions },
        namespace: 'one',
        signal: stop.signal,
        signingKeys: null,
        onWarning: (warning) => warnings.push(warning),
        clock,
      })
    },
    async stop() {
      stop.abort()
      await ended
    },
    async shown() {
      const [stored] = await shared.read(['t1'])
      return {
        record: stored?.record ? JSON.parse(stored.record.text) : null,
        answer: stored?.answer ? JSON.parse(stored.answer.text) : null,
      }
    },
  }
}

describe('a mirrored question', () => {
  it('is shown with what its sandbox has of its answer, and listed until it ends', async () => {
    const { runner, own, shared, shown, start, fleet } = mirroring()
    await runner.open(RECORD)
    start()
    await vi.waitFor(async () =>
      expect(await shown()).toEqual({ record: { ...RECORD, mirror: { delivered: 0 } }, answer: null }),
    )
    expect(await shared.list({ unsettled: true })).toMatchObject([
      { toolCallId: 't1', askedAt: RECORD.askedAt },
    ])
    expect(await fleet.runs.find('one/run-1')).toMatchObject({ namespace: 'one', startedAt: RECORD.askedAt })
    await own.writeAnswer('t1', JSON.stringify(FINAL), { expected: null })
    await vi.waitFor(async () =>
      expect(await shown()).toEqual({ record: { ...RECORD, mirror: { delivered: 1 } }, answer: FINAL }),
    )
    await runner.settle('t1', receiptOf())
    await vi.waitFor(async () => expect(await shared.list({ unsettled: true })).toEqual([]))
    expect((await shown()).record).toMatchObject({ state: 'answered', mirror: { delivered: 1 } })
  })

  it('that had ended before the mirror began stays unknown', async () => {
    const { runner, shown, shared, start } = mirroring()
    await runner.open(RECORD)
    await runner.settle('t1', receiptOf({ state: 'aborted' }))
    await runner.open(openRecord('t2'))
    start()
    await vi.waitFor(async () => expect(await shared.list()).toHaveLength(1))
    expect(await shown()).toEqual({ record: null, answer: null })
  })

  it('has a run that ends with the run of the sandbox', async () => {
    const { runner, inside, fleet, start, clock } = mirroring()
    const startedAt = '2025-12-31T00:00:00.000Z'
    await inside.runs.put({ runId: 'run-1', namespace: 'sandbox', startedAt, metadata: {} })
    await inside.runs.end({ runId: 'run-1', startedAt, endedAt: startedAt })
    await runner.open(RECORD)
    start()
    await vi.waitFor(async () =>
      expect(await fleet.runs.find('one/run-1')).toMatchObject({
        endedAt: new Date(clock.now()).toISOString(),
      }),
    )
  })

  it('is written again at once when somebody else wrote meanwhile', async () => {
    const { runner, own, shared, shown, start, warnings } = mirroring()
    await runner.open(RECORD)
    await own.writeAnswer('t1', JSON.stringify(FINAL), { expected: null })
    const written: string[] = []
    const isFirst = (kind: string): boolean => {
      written.push(kind)
      return written.filter((each) => each === kind).length === 1
    }
    start({
      store: {
        writeRecord: async (...args) => (isFirst('record') ? null : shared.writeRecord(...args)),
        writeAnswer: async (...args) => (isFirst('answer') ? null : shared.writeAnswer(...args)),
      },
    })
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 1 } }))
    expect((await shown()).answer).toEqual(FINAL)
    expect(written).toEqual(['answer', 'answer', 'record', 'record'])
    expect(warnings).toEqual([])
  })

  it('is written again half a second after a failure, which is a warning', async () => {
    const { runner, clock, shared, shown, start, warnings } = mirroring()
    await runner.open(RECORD)
    let isBroken = true
    start({
      store: {
        writeRecord: async (...args) => {
          if (isBroken) throw OUT_OF_REACH
          return shared.writeRecord(...args)
        },
      },
    })
    await vi.waitFor(() =>
      expect(warnings).toMatchObject([{ code: 'UNREACHABLE', message: 'Not now', toolCallId: 't1' }]),
    )
    isBroken = false
    clock.advance(499)
    expect((await shown()).record).toBeNull()
    clock.advance(1)
    await vi.waitFor(async () => expect((await shown()).record).not.toBeNull())
    expect(warnings).toHaveLength(1)
  })

  it('has one pause for all tries, however often it changes while they fail', async () => {
    const { runner, own, clock, shared, shown, start, warnings } = mirroring()
    await runner.open(RECORD)
    let tries = 0
    let isBroken = true
    start({
      store: {
        writeRecord: async (...args) => {
          tries++
          if (isBroken) throw OUT_OF_REACH
          return shared.writeRecord(...args)
        },
      },
    })
    /** Nothing is under way any more. */
    const quiet = () =>
      vi.waitFor(async () => {
        const before = tries
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
        expect(tries).toBe(before)
        expect(warnings).toHaveLength(tries)
      })
    await vi.waitFor(() => expect(warnings).toHaveLength(1))
    await quiet()
    const pausesAfterOne = clock.pending()
    let expected: string | null = null
    for (let revision = 1; revision <= 5; revision++) {
      const draft = JSON.stringify(answerFileFor('t1', { status: 'pending', revision }))
      const stored = await own.writeAnswer('t1', draft, { expected })
      expected = stored?.answer?.version ?? null
      await vi.waitFor(async () => expect((await shown()).answer).toMatchObject({ revision }))
      await quiet()
    }
    expect(clock.pending()).toBe(pausesAfterOne)
    for (const pauseMs of [500, 1000, 2000, 4000, 8000, 8000]) {
      const before = tries
      clock.advance(pauseMs - 1)
      expect(tries).toBe(before)
      clock.advance(1)
      await vi.waitFor(() => expect(tries).toBe(before + 1))
      await quiet()
      expect(tries).toBe(before + 1)
    }
    isBroken = false
    clock.advance(8000)
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 5 } }))
  })

  it('is not written again while nothing has changed', async () => {
    const { runner, own, shared, shown, start } = mirroring()
    await runner.open(RECORD)
    await own.writeAnswer('t1', JSON.stringify(FINAL), { expected: null })
    const written: string[] = []
    const looked: string[] = []
    start({
      store: {
        read: async (ids) => {
          looked.push(...ids)
          return shared.read(ids)
        },
        writeRecord: async (...args) => {
          written.push('record')
          return shared.writeRecord(...args)
        },
        writeAnswer: async (...args) => {
          written.push('answer')
          return shared.writeAnswer(...args)
        },
      },
    })
    await vi.waitFor(async () => expect((await shown()).record).not.toBeNull())
    await vi.waitFor(() => expect(written).toEqual(['answer', 'record']))
    await runner.open(openRecord('t2'))
    await vi.waitFor(() => expect(looked).toContain('t2'))
    await vi.waitFor(() => expect(written).toEqual(['answer', 'record', 'record']))
  })
})

describe('an answer of the fleet', () => {
  /** A sandbox that asks, a mirror that has shown it, and a function that answers in the fleet. */
  async function asked(ends: Parameters<ReturnType<typeof mirroring>['start']>[0] = {}) {
    const mirror = mirroring()
    await mirror.runner.open(RECORD)
    mirror.start(ends)
    await vi.waitFor(async () => expect((await mirror.shown()).record).not.toBeNull())
    const answer = async (more: object = {}): Promise<void> => {
      const [stored] = await mirror.shared.read(['t1'])
      const text = JSON.stringify({ ...FINAL, ...more })
      await mirror.shared.writeAnswer('t1', text, { expected: stored?.answer?.version ?? null })
    }
    const delivered = async (): Promise<unknown> => {
      const [stored] = await mirror.own.read(['t1'])
      return stored?.answer ? JSON.parse(stored.answer.text) : null
    }
    return { ...mirror, answer, delivered }
  }

  it('reaches the sandbox, draft by draft, and is delivered then', async () => {
    const { answer, delivered, shown } = await asked()
    await answer({ status: 'pending' })
    await vi.waitFor(async () => expect(await delivered()).toMatchObject({ status: 'pending', revision: 1 }))
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 1 } }))
    await answer({ status: 'completed', revision: 2 })
    await vi.waitFor(async () =>
      expect(await delivered()).toMatchObject({ status: 'completed', revision: 2 }),
    )
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 2 } }))
  })

  it('gives way to the final one of the sandbox', async () => {
    const { own, answer, shown, delivered, stop } = await asked()
    const declined = { ...FINAL, status: 'declined', answers: {}, responses: {} }
    await own.writeAnswer('t1', JSON.stringify(declined), { expected: null })
    await vi.waitFor(async () => expect((await shown()).answer).toEqual(declined))
    await answer({ revision: 2 })
    await vi.waitFor(async () => expect((await shown()).answer).toEqual(declined))
    expect(await delivered()).toEqual(declined)
    await stop()
  })

  it('that came second to the sandbox is replaced there, without a warning', async () => {
    const other = { ...FINAL, answeredBy: 'ada', timestamp: '2026-01-01T00:00:09.000Z' }
    let isFirst = true
    const { runner, own, shared, shown, warnings, start } = mirroring()
    await runner.open(RECORD)
    start({
      channel: (channel) => ({
        async write(...args) {
          if (isFirst) await own.writeAnswer('t1', JSON.stringify(other), { expected: null })
          isFirst = false
          return channel.write(...args)
        },
      }),
    })
    await shared.writeAnswer('t1', JSON.stringify(FINAL), { expected: null })
    await vi.waitFor(async () => expect((await shown()).answer).toEqual(other))
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 1 } }))
    expect(warnings).toEqual([])
  })

  it('is tried again when the sandbox cannot take it now, which is a warning', async () => {
    let isBroken = true
    const { answer, delivered, shown, clock, warnings } = await asked({
      channel: (channel) => ({
        async write(...args) {
          if (isBroken) throw OUT_OF_REACH
          return channel.write(...args)
        },
      }),
    })
    await answer()
    await vi.waitFor(() => expect(warnings[0]).toMatchObject({ code: 'UNREACHABLE', toolCallId: 't1' }))
    expect(await delivered()).toBeNull()
    expect((await shown()).record).toMatchObject({ mirror: { delivered: 0 } })
    isBroken = false
    await clock.whenPending()
    clock.advance(500)
    await vi.waitFor(async () => expect(await delivered()).toMatchObject({ status: 'completed' }))
  })

  it('is not delivered while it is not where the agent looks', async () => {
    let isUnpublished = true
    const { answer, delivered, shown, clock, warnings } = await asked({
      channel: (channel) => ({
        async read(toolCallId) {
          const state = await channel.read(toolCallId)
          return state.answerFile && isUnpublished ? { ...state, unpublished: true } : state
        },
      }),
    })
    await answer()
    await vi.waitFor(() => expect(warnings[0]).toMatchObject({ code: 'UNREACHABLE', toolCallId: 't1' }))
    expect(await delivered()).not.toBeNull()
    expect((await shown()).record).toMatchObject({ mirror: { delivered: 0 } })
    isUnpublished = false
    clock.advance(500)
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 1 } }))
  })

  it('is made durable before it is delivered', async () => {
    const persisted: unknown[] = []
    const { answer, shown } = await asked({
      channel: () => ({
        async persist(toolCallId) {
          persisted.push(toolCallId)
          expect((await shown()).record).toMatchObject({ mirror: { delivered: 0 } })
        },
      }),
    })
    expect(persisted).toEqual([])
    await answer()
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 1 } }))
    expect(persisted).toHaveLength(1)
  })

  it('to another question, or without a number, is not taken', async () => {
    const { answer, delivered, own, shown } = await asked()
    await answer({ nonce: 'other' })
    await answer({ revision: undefined })
    await own.writeAnswer('t1', JSON.stringify(answerFileFor('t1')), { expected: null })
    await vi.waitFor(async () => expect((await shown()).answer).toMatchObject({ status: 'pending' }))
    expect(await delivered()).toMatchObject({ status: 'pending' })
  })

  it('is not brought to a question that has ended', async () => {
    const { runner, shared, shown, delivered, answer } = await asked()
    await runner.settle('t1', receiptOf({ state: 'timed-out', responses: {} }))
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ state: 'timed-out' }))
    await answer()
    await runner.open(openRecord('t2'))
    await vi.waitFor(async () => expect(await shared.list({ unsettled: true })).toHaveLength(1))
    expect(await delivered()).toBeNull()
  })
})

describe('a mirror', () => {
  it('follows each side again half a second after it broke off, which is a warning', async () => {
    const { runner, shared, shown, start, clock, warnings, own } = mirroring()
    const broken = { sandbox: true, fleet: true }
    start({
      channel: (channel) => ({
        subscribe(...args) {
          if (broken.sandbox) throw new AskError('UNREACHABLE', 'The sandbox is away')
          return channel.subscribe(...args)
        },
      }),
      store: {
        subscribe(...args) {
          if (broken.fleet) throw new AskError('UNREACHABLE', 'The fleet is away')
          return shared.subscribe(...args)
        },
      },
    })
    await vi.waitFor(() =>
      expect(warnings.map(({ message }) => message).sort()).toEqual([
        'The fleet is away',
        'The sandbox is away',
      ]),
    )
    await runner.open(RECORD)
    await clock.whenPending(2)
    broken.sandbox = false
    clock.advance(499)
    expect((await shown()).record).toBeNull()
    clock.advance(1)
    await vi.waitFor(async () => expect((await shown()).record).not.toBeNull())
    broken.fleet = false
    await shared.writeAnswer('t1', JSON.stringify(FINAL), { expected: null })
    await vi.waitFor(async () => {
      clock.advance(500)
      expect((await own.read(['t1']))[0]?.answer).not.toBeNull()
    })
  })

  it('ends when its signal aborts, and leaves no timer', async () => {
    const { runner, shown, start, stop, clock } = mirroring()
    await runner.open(RECORD)
    start()
    await vi.waitFor(async () => expect((await shown()).record).not.toBeNull())
    await stop()
    expect(clock.pending()).toBe(0)
  })

  it('refuses options that it does not have', async () => {
    const { fleet, inside } = mirroring()
    const { signal } = new AbortController()
    const options = { fleet, namespace: 'one', signal, clock: createFakeClock(), signingKeys: null }
    const sandbox = fleetSandbox(inside, 'sandbox')
    for (const wrong of [{ folder: 'x' }, { signal: 1 }, { onWarning: 'log' }, { clock: {} }])
      await expect(mirrorQuestions(sandbox, { ...options, ...(wrong as object) })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('mirrorQuestions'),
      })
  })

  it('tries again when the record goes away while it delivers an answer', async () => {
    const { runner, own, shared, shown, start } = mirroring()
    await runner.open(RECORD)
    let reads = 0
    start({
      channel: (channel) => ({
        async read(toolCallId) {
          const state = await channel.read(toolCallId)
          if (state.answerFile) reads += 1
          return reads === 1 ? { toolCallId } : state
        },
      }),
    })
    await shared.writeAnswer('t1', JSON.stringify(FINAL), { expected: null })
    await vi.waitFor(async () => expect((await shown()).record).toMatchObject({ mirror: { delivered: 1 } }))
    expect((await own.read(['t1']))[0]?.answer).not.toBeNull()
  })
})
