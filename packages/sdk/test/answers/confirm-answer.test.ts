import { type HostChannel, type OpenRecord, type Receipt, withReceipt } from '@sandagent/core/internal'
import { createHostChannel, createRunnerChannel } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { answerFileFor, createFakeClock, openRecord, receiptOf } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { confirmAnswer, whenClosed } from '../../src/answers/confirm-answer.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const answer = answerFileFor('c', { status: 'completed', answeredBy: 'ada' })
const taken = { answeredBy: 'ada' }
const viewer = { answeredBy: 'bo' }

/** A question that closes, with Ada's answer, beside one that is open. */
async function closing(more: Partial<OpenRecord> = {}) {
  const clock = createFakeClock()
  const questions = createMemoryFleet().questions('one')
  const runner = createRunnerChannel(questions)
  const run = { hasEnded: false }
  const host = createHostChannel(questions, {
    clock,
    hasRunEnded: async ({ toolCallId }) => toolCallId === 'c' && run.hasEnded,
  })
  await runner.open(openRecord('other'))
  await runner.open(openRecord('c', more))
  await host.write(answer, { expectedRevision: 0 })
  await runner.close('c', 'timed-out')
  const signals: AbortSignal[] = []
  const wait = { passedOver: 0 }
  const channel: HostChannel = {
    ...host,
    async *subscribe(signal, toolCallId) {
      signals.push(signal)
      for await (const state of host.subscribe(signal, toolCallId)) {
        yield state
        wait.passedOver += 1
      }
    },
  }
  const before = await host.read('c')
  const confirmed = () => confirmAnswer(channel, answer, { before, record: before.record, viewer }, clock)
  const settle = (receipt: Partial<Receipt> = taken) => runner.settle('c', receiptOf(receipt))
  /** Nothing is left of a wait. */
  const expectNothingLeft = (): void => {
    expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => true))
    expect(clock.pending()).toBe(0)
  }
  return { clock, channel, runner, run, before, confirmed, settle, wait, expectNothingLeft, signals }
}

describe('what the record tells at once', () => {
  const record = openRecord('c')
  const before = { toolCallId: 'c', record }
  const clock = createFakeClock()
  const outOfReach = new Error('This channel is out of reach')
  const host = createHostChannel(createMemoryFleet().questions('one'))
  const channel: HostChannel = { ...host, read: () => Promise.reject(outOfReach) }
  const confirmedBy = (after: OpenRecord | ReturnType<typeof withReceipt> | undefined, of: object = before) =>
    confirmAnswer(channel, answer, { before: of as typeof before, record: after, viewer }, clock)

  it.each([
    ['is still open', record, before],
    ['has taken the answer', withReceipt(record, receiptOf(taken)), before],
    [
      'is of another question',
      withReceipt(openRecord('c', { nonce: 'n' }), receiptOf({ state: 'aborted' })),
      before,
    ],
    ['was asked meanwhile', withReceipt(record, receiptOf({ state: 'aborted' })), { toolCallId: 'c' }],
  ] as const)('a question that %s is not read again', async (_, after, of) => {
    await confirmedBy(after, of)
  })

  it('a question that has gone away leaves its answer unconfirmed', async () => {
    expect(await refusalOf(confirmedBy(undefined))).toMatchObject({ code: 'UNREACHABLE' })
  })

  it('a question that ended in another way is read again', async () => {
    await expect(confirmedBy(withReceipt(record, receiptOf({ state: 'aborted' })))).rejects.toBe(outOfReach)
    await expect(confirmedBy({ ...record, state: 'closing', closingFor: 'timed-out' } as never)).rejects.toBe(
      outOfReach,
    )
  })
})

describe('an answer to a question that is closing', () => {
  it('is confirmed by its receipt, and nothing waits any more', async () => {
    const { clock, confirmed, settle, expectNothingLeft, signals } = await closing()
    const done = confirmed()
    await clock.whenPending()
    await settle()
    await done
    expect(signals).toHaveLength(1)
    expectNothingLeft()
  })

  it('is gone by another receipt, as the person who answers sees the question', async () => {
    const deadline = { timeoutMs: 60_000, deadline: '2026-01-01T00:01:00.000Z' }
    const { clock, confirmed, settle, expectNothingLeft } = await closing(deadline)
    const refusal = refusalOf(confirmed())
    await clock.whenPending()
    clock.advance(5000)
    await settle({ state: 'aborted', responses: {} })
    expect(await refusal).toMatchObject({
      code: 'GONE',
      facts: { question: { state: 'aborted', byOther: true, remainingMs: 56_000 } },
    })
    expectNothingLeft()
  })

  it('is not confirmed without a receipt, after ten seconds and not before', async () => {
    const deadline = { timeoutMs: 60_000, deadline: '2026-01-01T00:01:00.000Z' }
    const { clock, confirmed, wait, expectNothingLeft } = await closing(deadline)
    const refusal = refusalOf(confirmed())
    let isTold = false
    void refusal.then(() => (isTold = true))
    await clock.whenPending(2)
    await vi.waitFor(() => expect(wait.passedOver).toBe(1))
    clock.advance(9999)
    await clock.whenPending(2)
    expect(isTold).toBe(false)
    clock.advance(1)
    expect(await refusal).toMatchObject({
      code: 'UNREACHABLE',
      facts: { question: { state: 'sent', byOther: true, remainingMs: 51_000 } },
    })
    expectNothingLeft()
  })

  it('is stored for the next start of a run that ends meanwhile', async () => {
    const { clock, confirmed, run, expectNothingLeft } = await closing()
    const done = confirmed()
    await clock.whenPending(2)
    run.hasEnded = true
    clock.advance(5000)
    await done
    expectNothingLeft()
  })

  it('is judged by the receipt that a run wrote just before it ended', async () => {
    const { clock, channel, confirmed, run, settle } = await closing()
    const { subscribe } = channel
    Object.assign(channel, {
      async *subscribe(...args: Parameters<typeof subscribe>) {
        for await (const state of subscribe(...args)) {
          if (state.runEnded) await settle({ state: 'aborted', responses: {} })
          yield state
        }
      },
    })
    const refusal = refusalOf(confirmed())
    await clock.whenPending(2)
    run.hasEnded = true
    clock.advance(5000)
    expect(await refusal).toMatchObject({ code: 'GONE' })
  })

  it('is nothing to the question that was asked in its place', async () => {
    const { clock, channel, before } = await closing()
    const earlier = {
      ...openRecord('c', { nonce: 'earlier' }),
      state: 'closing',
      closingFor: 'aborted',
    } as const
    await confirmAnswer(
      {
        ...channel,
        read: async () => ({
          ...before,
          record: withReceipt(openRecord('c'), receiptOf({ state: 'aborted' })),
        }),
      },
      answer,
      { before: { toolCallId: 'c', record: earlier }, record: earlier, viewer },
      clock,
    )
  })
})

it('a question that is not closing is not waited for', async () => {
  const { clock, channel, signals } = await closing()
  expect(await whenClosed(channel, 'other', clock)).toMatchObject({ record: { state: 'open' } })
  expect(signals).toEqual([])
})
