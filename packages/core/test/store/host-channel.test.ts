import { expect, it, onTestFinished, vi } from 'vitest'
import type { HostChannel } from '../../src/channel.ts'
import { AskError } from '../../src/lib/errors.ts'
import { identityOf } from '../../src/record/answer-file/record-identity.ts'
import { withReceipt } from '../../src/record/question-record.ts'
import type { QuestionState } from '../../src/record/question-state.ts'
import { createHostChannel } from '../../src/store/host-channel.ts'
import { answerTo, recordOf, storeDouble } from './store-double.ts'

/** Lets everything happen that waits for nothing. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A clock that stands still. `pass` rings all timers that were set before. */
function stillClock() {
  let timers: (() => void)[] = []
  const after = (_: number, ring: () => void) => {
    timers.push(ring)
    return () => {
      timers = timers.filter((each) => each !== ring)
    }
  }
  const pass = async (): Promise<void> => {
    for (const ring of timers.splice(0)) ring()
    await settled()
  }
  return { clock: { now: () => 0, after }, pass }
}

/** The states that a subscription has yielded, and its failure. */
async function followed(host: HostChannel) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const seen: QuestionState[] = []
  const failed = vi.fn()
  const follow = async (): Promise<void> => {
    for await (const state of host.subscribe(stop.signal)) seen.push(state)
  }
  follow().catch(failed)
  await settled()
  return { seen, failed }
}

it('a subscription looks at each run once, not at each of its questions', async () => {
  const ofOneRun = ['a', 'b', 'c'].map((id) => recordOf(id))
  const { store } = storeDouble(...ofOneRun, recordOf('d', { runId: 'run-2' }))
  const { clock, pass } = stillClock()
  const hasRunEnded = vi.fn(async (_: { runId: string }) => false)
  const { seen } = await followed(createHostChannel(store, { hasRunEnded, clock }))
  expect(seen).toHaveLength(4)
  hasRunEnded.mockClear()
  await pass()
  expect(hasRunEnded.mock.calls.map(([{ runId }]) => runId)).toEqual(['run-1', 'run-2'])
  hasRunEnded.mockImplementation(async ({ runId }) => runId === 'run-1')
  await pass()
  expect(seen.slice(4).map(({ toolCallId, runEnded }) => [toolCallId, runEnded])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
  ])
})

it('a subscription goes on to look at a run whose question comes while it looks at another', async () => {
  const { store, put } = storeDouble(recordOf('a'))
  const { clock, pass } = stillClock()
  let isLate = false
  const hasRunEnded = vi.fn(async ({ runId }: { runId: string }) => isLate && runId === 'run-2')
  const { seen } = await followed(createHostChannel(store, { hasRunEnded, clock }))
  let look = (): void => {}
  hasRunEnded.mockImplementationOnce(() => new Promise((resolve) => (look = () => resolve(false))))
  await pass()
  put('b', 'record', recordOf('b', { runId: 'run-2' }))
  await settled()
  look()
  await settled()
  isLate = true
  await pass()
  expect(seen.map(({ toolCallId, runEnded }) => [toolCallId, runEnded])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['b', true],
  ])
})

it('a subscription remembers a limited number of settled questions', async () => {
  const receipt = { state: 'answered', settledAt: '2026-01-01T00:00:02.000Z', responses: {} } as const
  const { store, put } = storeDouble()
  const open = put('open', 'record', recordOf('open'))
  const ended = Array.from({ length: 10_001 }, (_, index) =>
    put(`t${index}`, 'record', withReceipt(recordOf(`t${index}`), receipt)),
  )
  store.subscribe.mockImplementation(async function* (signal) {
    yield [open, ...ended]
    yield [open, ...ended.slice(0, 1), ...ended.slice(-1)]
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const { seen } = await followed(createHostChannel(store))
  expect(seen.slice(10_002).map(({ toolCallId }) => toolCallId)).toEqual(['t0'])
})

it('what cannot be read is tried again no more often the longer that lasts', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { store, put } = storeDouble()
  const row = put('a', 'record', recordOf('a'))
  store.subscribe.mockImplementation(async function* (signal) {
    while (!signal.aborted) {
      yield [row]
      await new Promise((resolve) => setTimeout(resolve, 537))
    }
  })
  const hasRunEnded = vi.fn().mockRejectedValue(new AskError('UNREACHABLE', 'gone'))
  const stop = new AbortController()
  const states = createHostChannel(store, { hasRunEnded }).subscribe(stop.signal)
  const following = states[Symbol.asyncIterator]().next()
  await vi.advanceTimersByTimeAsync(30_000)
  stop.abort()
  await following
  expect(hasRunEnded.mock.calls.length).toBeLessThan(150)
})

it('a lost subscription begins again, and nobody is told', async () => {
  const { store, put } = storeDouble(recordOf('a'))
  const { clock, pass } = stillClock()
  const onWarning = vi.fn()
  store.subscribe.mockImplementationOnce(() => {
    throw new AskError('UNREACHABLE', 'The store is gone')
  })
  const { seen, failed } = await followed(createHostChannel(store, { clock, onWarning }))
  expect(seen).toEqual([])
  await pass()
  put('b', 'record', recordOf('b'))
  await settled()
  expect(seen.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b'])
  expect([failed.mock.calls, onWarning.mock.calls]).toEqual([[], []])
})

it('a lost subscription ends if its store tells of the loss', async () => {
  const { store } = storeDouble(recordOf('a'))
  const loss = new AskError('UNREACHABLE', 'The store is gone')
  store.subscribe.mockImplementation(async function* () {
    yield await store.read(['a'])
    throw loss
  })
  const { seen, failed } = await followed(createHostChannel({ ...store, tellsOfLoss: true }))
  expect(seen.map(({ toolCallId }) => toolCallId)).toEqual(['a'])
  expect(failed).toHaveBeenCalledExactlyOnceWith(loss)
  expect(store.subscribe).toHaveBeenCalledOnce()
})

it('an answer is a CONFLICT if its question has changed between the read and the write', async () => {
  const record = recordOf('a')
  const { store, put, rows } = storeDouble(record)
  const write = store.writeAnswer.getMockImplementation()
  store.writeAnswer.mockImplementationOnce(async (...args) => {
    put('a', 'record', recordOf('a', { nonce: 'of another question' }))
    return write?.(...args) ?? null
  })
  const answer = answerTo(record)
  const expected = { expectedRevision: 0, expectedRecord: identityOf(record) }
  const host = createHostChannel(store)
  await host.read('a')
  await expect(host.write(answer, expected)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(store.writeAnswer).toHaveBeenCalledOnce()
  expect(rows.get('a')?.answer).toBeNull()
})

it.each([1, 2, 3, 4])('pages of %i questions end where a store gives all of them', async (limit) => {
  const ids = ['a', 'b', 'c']
  const { store, rows } = storeDouble(...ids.map((id) => recordOf(id)))
  store.list.mockImplementation(async ({ after } = {}) =>
    [...rows.values()]
      .map((stored) => ({ ...stored, askedAt: recordOf('a').askedAt }))
      .filter(({ toolCallId }) => !after || toolCallId > after.toolCallId),
  )
  const host = createHostChannel(store)
  const listed: string[] = []
  for (let after: Parameters<HostChannel['page']>[0]['after'] = null, pages = 0; ; pages++) {
    const { records, next } = await host.page({ unsettled: false, limit, after })
    listed.push(...records.map(({ toolCallId }) => toolCallId))
    after = next
    if (!after) break
    expect(pages).toBeLessThan(2)
  }
  expect(listed).toEqual(ids)
})

it('says of each question that an answer to it does not count, however many an agent has asked', async () => {
  const records = Array.from({ length: 1001 }, (_, n) => recordOf(`c${n}`))
  const { store, put } = storeDouble(...records)
  for (const record of records) put(record.toolCallId, 'answer', answerTo(record))
  const host = createHostChannel(store, { authenticate: async () => null })
  for (const { toolCallId } of records) expect((await host.read(toolCallId)).ignored).toBe(true)
})
