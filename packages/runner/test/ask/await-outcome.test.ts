import {
  type AnswerFile,
  AskError,
  type BoundAnswerFile,
  type ChannelWarning,
  type ClosingReason,
  type Observation,
  type Receipt,
  type RunnerChannel,
  type UnsettledRecord,
  withReceipt,
} from '@sandagent/core/internal'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { AskOptions } from '../../src/ask/ask-options.ts'
import { awaitOutcome } from '../../src/ask/await-outcome.ts'
import { receiptsWritten } from '../../src/ask/receipts.ts'
import { picked } from '../workspace.ts'
import { pushedAnswers } from './pushed-answers.ts'

const record = openRecord('c', {
  questions: [
    { id: 'q1', question: 'Which?', multiSelect: true, options: [{ label: 'Go' }, { label: 'C' }] },
    { id: 'q2', question: 'How?', options: [{ label: 'A' }, { label: 'B' }], defaultOption: 'B' },
  ],
  timeoutMs: 1000,
  deadline: '2026-01-01T00:00:01.000Z',
})

const answer = (label: string, own: Partial<BoundAnswerFile> = {}): AnswerFile =>
  answerFileFor('c', {
    questions: record.questions,
    answers: { 'Which?': label },
    status: 'completed',
    responses: { q1: picked(label), q2: picked('A') },
    ...own,
  })
const draft = (label: string, revision = 1) =>
  answer(label, { status: 'pending', revision, responses: { q1: picked(label) } })

/** Waits at a channel whose subscriptions give what is pushed. `stored` is what a read finds. */
function waiting(options: Partial<AskOptions> = {}, own: object = {}, observation?: Observation) {
  const { clock, subscribe, push, overAfter } = pushedAnswers()
  const asked = { ...record, ...own } as UnsettledRecord
  const stored: { answerFile: AnswerFile | null } = { answerFile: null }
  const warnings: ChannelWarning[] = []
  const read = vi.fn(async (_toolCallId: string) => stored.answerFile)
  const close = vi.fn(async (_toolCallId: string, _reason: ClosingReason) => {})
  const settle = vi.fn(async (_toolCallId: string, receipt: Receipt) => withReceipt(asked, receipt))
  const leave = vi.fn(async (_toolCallId: string) => {})
  const channel = { subscribe, read, close, leave, settle } as unknown as RunnerChannel
  onTestFinished(receiptsWritten)
  const outcome = awaitOutcome(
    channel,
    asked,
    { clock, onWarning: (warning) => warnings.push(warning), ...options },
    observation,
  )
  const after = overAfter(outcome)
  const receipt = () => settle.mock.calls[0]?.[1]
  return { outcome, clock, stored, warnings, subscribe, read, close, leave, settle, push, after, receipt }
}

const refusal = (code: string) => Object.assign(new Error(`${code} said the disk`), { code })
const warning = (code: string) => ({ code, message: `${code} said the disk`, toolCallId: 'c' })

it('a decision is the outcome before its receipt is written', async () => {
  const { outcome, push, settle, close, receipt, clock, after } = waiting()
  let write = (): void => {}
  settle.mockImplementationOnce(
    (_, given) => new Promise((resolve) => (write = () => resolve(withReceipt(record, given)))),
  )
  await after(10)
  await push(answer('Go'))
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('Go') } })
  write()
  expect(settle).toHaveBeenCalledExactlyOnceWith('c', receipt())
  expect(receipt()).toMatchObject({ state: 'answered', settledAt: new Date(clock.now()).toISOString() })
  expect(close).not.toHaveBeenCalled()
})

it('a decision whose receipt cannot be written is a warning', async () => {
  const { outcome, push, settle, warnings, after } = waiting()
  settle.mockRejectedValueOnce(refusal('EROFS'))
  await push(answer('Go'))
  await outcome
  expect(warnings).toMatchObject([{ code: 'EROFS', toolCallId: 'c' }])
  await after(100)
  expect(settle).toHaveBeenCalledTimes(2)
})

it('an observer sees each answer, also the one that is found at last', async () => {
  const progress = vi.fn()
  const { outcome, push, stored, after } = waiting({}, {}, { progress } as unknown as Observation)
  const first = answer('Go', { replaceable: true })
  await push(first)
  expect(progress).toHaveBeenCalledExactlyOnceWith({ name: 'answered', answerFile: first })
  stored.answerFile = answer('C', { revision: 2 })
  await after(1500)
  expect(await outcome).toMatchObject({ responses: { q1: picked('C') } })
  expect(progress).toHaveBeenLastCalledWith({ name: 'answered', answerFile: stored.answerFile })
})

it.each([
  ['1500 ms', {}, 1500],
  ['its own time', { quietMs: 300 }, 300],
])('an answer that may be replaced is quiet for %s', async (_, options, ms) => {
  const { outcome, push, close, after, receipt } = waiting(options, { timeoutMs: 9000, deadline: null })
  await push(answer('Go', { replaceable: true }))
  await after(ms - 1)
  expect(close).not.toHaveBeenCalled()
  await after(1)
  expect(close).toHaveBeenCalledExactlyOnceWith('c', 'answered')
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('Go') } })
  expect(receipt()).toMatchObject({ state: 'answered' })
})

it('a wait that is only given up says that nobody is there, and ends nothing', async () => {
  const signal = new AbortController().signal
  for (const also of [{}, { signal }]) {
    const detach = new AbortController()
    const { outcome, close, leave, settle, clock, after } = waiting({ detachSignal: detach.signal, ...also })
    await after(0)
    detach.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted', responses: {} })
    expect(leave).toHaveBeenCalledExactlyOnceWith('c')
    expect([close.mock.calls, settle.mock.calls, clock.pending()]).toEqual([[], [], 0])
  }
})

it('a wait that is only given up ends, though the store is out of reach', async () => {
  const detach = new AbortController()
  const { outcome, leave, warnings, after } = waiting({ detachSignal: detach.signal })
  leave.mockRejectedValue(new AskError('UNREACHABLE', 'No disk'))
  await after(0)
  detach.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
  expect(warnings).toMatchObject([{ code: 'UNREACHABLE', message: 'No disk' }])
})

it('a withdrawal closes the question, and takes an answer that was stored before', async () => {
  const detachSignal = new AbortController().signal
  for (const also of [{}, { detachSignal }]) {
    const stop = new AbortController()
    const { outcome, close, receipt, after } = waiting({ signal: stop.signal, ...also })
    await after(0)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    expect(close).toHaveBeenCalledExactlyOnceWith('c', 'aborted')
    expect(receipt()).toMatchObject({ state: 'aborted', responses: {} })
  }
  const stop = new AbortController()
  const { outcome, stored, after } = waiting({ signal: stop.signal })
  await after(0)
  stored.answerFile = answer('Go')
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('Go') } })
})

it('a withdrawal whose question cannot be closed ends at once', async () => {
  const stop = new AbortController()
  const { outcome, close, read, warnings, receipt, clock, after } = waiting({ signal: stop.signal })
  close.mockRejectedValue(refusal('ENOSPC'))
  await after(0)
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
  expect(warnings).toEqual([warning('ENOSPC')])
  expect(receipt()).toMatchObject({ state: 'aborted' })
  expect([read.mock.calls, clock.pending()]).toEqual([[], 0])
})

it('a time-out that cannot be recorded is tried again, with one warning for each reason', async () => {
  const { outcome, push, close, warnings, after, subscribe } = waiting()
  close
    .mockRejectedValueOnce(refusal('ENOSPC'))
    .mockRejectedValueOnce(refusal('ENOSPC'))
    .mockRejectedValueOnce(new AskError('UNREACHABLE', 'offline'))
  await push(draft('Go'))
  await after(1000)
  expect(close).toHaveBeenCalledTimes(1)
  for (const [times, ms] of [
    [2, 100],
    [3, 200],
    [4, 400],
  ] as const) {
    await after(ms - 1)
    expect(close).toHaveBeenCalledTimes(times - 1)
    await after(1)
    await after(0)
    expect(close).toHaveBeenCalledTimes(times)
  }
  expect(await outcome).toMatchObject({ kind: 'partial', responses: { q1: picked('Go') } })
  expect(warnings).toEqual([warning('ENOSPC'), { code: 'UNREACHABLE', message: 'offline', toolCallId: 'c' }])
  expect(subscribe).toHaveBeenCalledTimes(4)
})

it('a withdrawal ends the pause before the next try', async () => {
  const stop = new AbortController()
  const { outcome, close, after, clock } = waiting({ signal: stop.signal })
  close.mockRejectedValueOnce(refusal('ENOSPC'))
  await after(1000)
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
  expect(close.mock.calls).toEqual([
    ['c', 'timed-out'],
    ['c', 'aborted'],
  ])
  expect(clock.pending()).toBe(0)
})

it('a replaceable answer whose question cannot be closed waits on as before', async () => {
  const { outcome, push, close, after, warnings } = waiting({ onWarning: undefined }, { timeoutMs: 9000 })
  close.mockRejectedValueOnce(refusal('ENOSPC'))
  await push(answer('Go', { replaceable: true }))
  await after(1500)
  await after(100)
  await push(answer('C', { revision: 2 }))
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('C') } })
  expect([close.mock.calls.length, warnings]).toEqual([1, []])
})

it('a bug in closing rejects', async () => {
  const { outcome, close, after } = waiting()
  close.mockRejectedValueOnce(new TypeError('bug'))
  outcome.catch(() => {})
  await after(1000)
  await expect(outcome).rejects.toThrow('bug')
})

it.each([
  ['partial', undefined, { kind: 'partial', responses: { q1: picked('C') } }],
  ['decline', 'decline' as const, { kind: 'timed-out', responses: {} }],
  ['defaults', 'defaults' as const, { responses: { q1: picked('C'), q2: { selected: ['B'] } } }],
])('a draft that was stored at last counts by the policy %s', async (_, timeoutPolicy, expected) => {
  const { outcome, push, read, after } = waiting({ timeoutPolicy })
  await push(draft('Go'))
  // The first read is the last look of the wait.
  read.mockResolvedValueOnce(null).mockResolvedValueOnce(draft('C', 2))
  await after(1000)
  expect(await outcome).toMatchObject(expected)
})

it('a question that was closing goes on where it was', async () => {
  for (const [closingFor, kind] of [
    ['timed-out', 'timed-out'],
    ['aborted', 'aborted'],
    ['answered', 'timed-out'],
  ] as const) {
    const { outcome, subscribe, close } = waiting({}, { state: 'closing', closingFor })
    expect(await outcome).toMatchObject({ kind })
    expect(close).toHaveBeenCalledExactlyOnceWith('c', closingFor)
    expect(subscribe).not.toHaveBeenCalled()
  }
})

it('an answer that cannot be read at last is a warning, and is looked for again', async () => {
  const { outcome, read, warnings, after } = waiting()
  read.mockResolvedValueOnce(null).mockRejectedValueOnce(new AskError('INVALID_FILE', 'torn'))
  read.mockResolvedValueOnce(answer('Go'))
  await after(1000)
  expect(await after(99)).toBe(false)
  expect(await after(1)).toBe(true)
  expect(await outcome).toMatchObject({ kind: 'answered' })
  expect(read.mock.calls).toEqual([['c'], ['c'], ['c']])
  expect(warnings).toEqual([{ code: 'INVALID_FILE', message: 'torn', toolCallId: 'c' }])
})

it('an answer that stays unreadable at last is given up after ten seconds', async () => {
  const { outcome, read, after, clock } = waiting()
  read.mockResolvedValueOnce(null).mockRejectedValue(new AskError('UNREACHABLE', 'busy'))
  await after(1000)
  for (const ms of [100, 200, 400, 800, 1600, 3200]) {
    expect(await after(ms - 1)).toBe(false)
    expect(await after(1)).toBe(false)
  }
  expect(await after(6400)).toBe(true)
  expect(await outcome).toMatchObject({ kind: 'timed-out' })
  expect([read.mock.calls.length, clock.pending()]).toEqual([9, 0])
})

it('a bug in the last read rejects', async () => {
  const { outcome, read, after } = waiting()
  read.mockResolvedValueOnce(null).mockRejectedValueOnce(new TypeError('bug'))
  outcome.catch(() => {})
  await after(1000)
  await expect(outcome).rejects.toThrow('bug')
})
