import { expect, it, onTestFinished, vi } from 'vitest'
import { AskError } from '../../src/lib/errors.ts'
import { createRunnerChannel } from '../../src/store/runner-channel.ts'
import { answerTo, recordOf, storeDouble } from './store-double.ts'

it('an old answer that nobody could read while its question was asked counts only with the nonce of the question', async () => {
  const { store, put } = storeDouble()
  const runner = createRunnerChannel(store)
  const record = recordOf('a')
  const { nonce: _, ...unbound } = answerTo(record)
  put('a', 'answer', unbound)
  const unread = async () => [{ toolCallId: 'a', record: null, answer: null, isUnread: true } as const]
  store.read.mockImplementationOnce(unread)
  await runner.open(record)
  expect(await runner.read('a')).toBeNull()
  // Nor does another one of which nobody can say when it came.
  put('a', 'answer', { ...unbound, timestamp: '2026-01-02T00:00:00.000Z' })
  expect(await runner.read('a')).toBeNull()
  put('a', 'answer', answerTo(record))
  expect(await runner.read('a')).toMatchObject({ nonce: record.nonce, status: 'completed' })
})

it('an answer that cannot be read is UNREACHABLE, and none is null', async () => {
  const { store } = storeDouble()
  const runner = createRunnerChannel(store)
  await runner.open(recordOf('a'))
  expect(await runner.read('a')).toBeNull()
  store.read.mockImplementationOnce(async () => [
    { toolCallId: 'a', record: null, answer: null, isUnread: true },
  ])
  await expect(runner.read('a')).rejects.toMatchObject({ code: 'UNREACHABLE' })
})

it('what came with the last write counts when the store is out of reach after it', async () => {
  const { store, put } = storeDouble()
  const runner = createRunnerChannel(store)
  const record = await runner.open(recordOf('a'))
  put('a', 'answer', answerTo(record))
  await runner.close('a', 'timed-out')
  store.read.mockRejectedValueOnce(new Error('gone'))
  expect(await runner.read('a')).toMatchObject({ status: 'completed' })
})

it('a record that somebody has written in between is not written over', async () => {
  const { store, put, rows } = storeDouble()
  const runner = createRunnerChannel(store)
  await runner.open(recordOf('a'))
  put('a', 'record', recordOf('a', { nonce: 'of another question' }))
  await expect(runner.close('a', 'timed-out')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(JSON.parse(rows.get('a')?.record?.text ?? '')).toMatchObject({ nonce: 'of another question' })
})

it('reads that fail are tried again no more often while the subscription comes and goes', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { store } = storeDouble()
  const runner = createRunnerChannel(store)
  await runner.open(recordOf('a'))
  store.read.mockReset().mockRejectedValue(new AskError('UNREACHABLE', 'gone'))
  store.subscribe.mockImplementation(async function* () {
    await new Promise((resolve) => setTimeout(resolve, 37))
    yield []
  })
  const answers = runner.subscribe('a')
  void answers.next()
  await vi.advanceTimersByTimeAsync(30_000)
  answers.close()
  expect(store.read.mock.calls.length).toBeLessThan(150)
})

it('a wait that begins while another question waits reads nothing, and misses no answer', async () => {
  const { store, put } = storeDouble()
  const runner = createRunnerChannel(store)
  await runner.open(recordOf('first'))
  const first = runner.subscribe('first')
  void first.next()
  await vi.waitFor(() => expect(store.subscribe).toHaveBeenCalled())
  const found: unknown[] = []
  for (const when of ['before', 'during', 'after']) {
    const record = recordOf(when)
    if (when === 'before') put(when, 'answer', answerTo(record))
    if (when === 'during')
      store.writeRecord.mockImplementationOnce(async (id, text) => {
        const after = put(id, 'record', text)
        put(id, 'answer', answerTo(record))
        return after
      })
    await runner.open(record)
    store.read.mockClear()
    if (when === 'after') put(when, 'answer', answerTo(record))
    const answers = runner.subscribe(when)
    found.push(await answers.next())
    answers.close()
    expect(store.read).not.toHaveBeenCalled()
  }
  expect(found).toMatchObject(['before', 'during', 'after'].map((toolCallId) => ({ toolCallId })))
  first.close()
})

it('a subscription ends only when who waited last has gone on, and not if another question waits by then', async () => {
  const { store, put } = storeDouble()
  const runner = createRunnerChannel(store)
  const waits = async (toolCallId: string) => {
    const record = await runner.open(recordOf(toolCallId))
    const answers = runner.subscribe(toolCallId)
    const next = answers.next()
    await vi.waitFor(() => expect(store.subscribe).toHaveBeenCalledOnce())
    put(toolCallId, 'answer', answerTo(record))
    await next
    answers.close()
  }
  await waits('a')
  const [signal] = store.subscribe.mock.lastCall ?? []
  expect(signal?.aborted).toBe(false)
  await waits('b')
  expect(store.subscribe).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(signal?.aborted).toBe(true))
})
