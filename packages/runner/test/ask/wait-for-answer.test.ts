import {
  type AnswerFile,
  AskError,
  type BoundAnswerFile,
  type OpenRecord,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import type { AskOptions } from '../../src/ask/ask-options.ts'
import { AnswerWait } from '../../src/ask/wait-for-answer.ts'
import { picked } from '../workspace.ts'
import { pushedAnswers } from './pushed-answers.ts'

const record = openRecord('c', {
  questions: [
    { id: 'q1', question: 'Which?', multiSelect: true, options: [{ label: 'Go' }, { label: 'C' }] },
  ],
  timeoutMs: 1000,
  deadline: '2026-01-01T00:00:01.000Z',
})

const answer = (label: string, own: Partial<BoundAnswerFile> = {}): AnswerFile =>
  answerFileFor('c', {
    questions: record.questions,
    answers: { 'Which?': label },
    status: 'completed',
    responses: { q1: picked(label) },
    ...own,
  })
const draft = (label: string, revision = 1) => answer(label, { status: 'pending', revision })
const replaceable = (label: string, revision = 1) => answer(label, { replaceable: true, revision })

/** Waits at a channel whose subscriptions give what is pushed. `stored` is what a read finds. */
function waiting(own: Partial<OpenRecord> = {}, options: AskOptions = {}) {
  const { clock, subscribe, push, overAfter } = pushedAnswers()
  const stop = new AbortController()
  const read = vi.fn(async (_toolCallId: string): Promise<AnswerFile | null> => null)
  const onWarning = vi.fn()
  const onAnswer = vi.fn()
  const wait = new AnswerWait(
    { subscribe, read } as unknown as RunnerChannel,
    { ...record, ...own },
    {
      signal: stop.signal,
      clock,
      quietMs: 100,
      onWarning,
      ...options,
    },
    { progress: onAnswer },
  )
  const result = wait.result()
  const after = overAfter(result)
  return { result, clock, stop, subscribe, read, onWarning, onAnswer, push, after }
}

it('a final answer is the decision, and leaves nothing behind', async () => {
  const { result, push, clock, onAnswer, subscribe, stop } = waiting()
  const remove = vi.spyOn(stop.signal, 'removeEventListener')
  await push(answer('Go'))
  expect(await result).toMatchObject({ kind: 'decided', ending: { state: 'answered' } })
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ name: 'answered', answerFile: answer('Go') })
  expect(subscribe).toHaveBeenCalledExactlyOnceWith('c')
  expect(clock.pending()).toBe(0)
  expect(remove).toHaveBeenCalledExactlyOnceWith('abort', expect.any(Function))
  await expect(subscribe.mock.results[0]?.value.next()).resolves.toBeNull()
})

it('an answer that cannot count is refused, and the wait goes on', async () => {
  const { result, push, onWarning, onAnswer } = waiting()
  await push(answer('Rust'))
  expect(onAnswer).not.toHaveBeenCalled()
  await push(answer('C'))
  expect(await result).toMatchObject({ kind: 'decided' })
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ toolCallId: 'c' }))
})

it.each([
  ['has its timeout left', {}, 1000],
  ['was asked a while ago', { deadline: '2026-01-01T00:00:00.400Z' }, 400],
  ['is overdue', { deadline: '2025-12-31T00:00:00.000Z' }, 0],
  ['has a deadline of a wrong clock', { deadline: '2027-01-01T00:00:00.000Z' }, 1000],
])('a question that %s times out in time', async (_, own, ms) => {
  const { result, after } = waiting(own)
  if (ms > 0) expect(await after(ms - 1)).toBe(false)
  expect(await after(ms > 0 ? 1 : 0)).toBe(true)
  expect(await result).toEqual({ kind: 'timed-out', draft: null })
})

it('a question that never times out has no timer, also after a draft', async () => {
  const { result, push, clock, stop } = waiting({ timeoutMs: 'never', deadline: null })
  await push(draft('Go'))
  expect(clock.pending()).toBe(0)
  stop.abort()
  expect(await result).toEqual({ kind: 'aborted', draft: draft('Go') })
})

it('a question without a deadline has no timer before the first draft', async () => {
  const { result, push, clock, after } = waiting({ deadline: null })
  expect(await after(5000)).toBe(false)
  expect(clock.pending()).toBe(0)
  await push(draft('Go'))
  expect(clock.pending()).toBe(1)
  expect(await after(1000)).toBe(true)
  expect(await result).toEqual({ kind: 'timed-out', draft: draft('Go') })
})

it('each new draft restarts the time, and the same one does not', async () => {
  const { result, push, after } = waiting()
  expect(await after(999)).toBe(false)
  await push(draft('Go'))
  expect(await after(999)).toBe(false)
  await push(draft('C', 2))
  expect(await after(600)).toBe(false)
  await push(draft('C', 2))
  expect(await after(399)).toBe(false)
  expect(await after(1)).toBe(true)
  expect(await result).toEqual({ kind: 'timed-out', draft: draft('C', 2) })
})

it('an answer that may be replaced counts once it is quiet', async () => {
  const { result, push, after, onAnswer, clock } = waiting()
  await push(replaceable('Go'))
  expect(await after(99)).toBe(false)
  await push(replaceable('C', 2))
  expect(await after(60)).toBe(false)
  await push(replaceable('C', 2))
  expect(await after(39)).toBe(false)
  expect(await after(1)).toBe(true)
  expect(await result).toMatchObject({
    kind: 'answered',
    draft: replaceable('C', 2),
    ending: { responses: { q1: picked('C') } },
  })
  expect(onAnswer).toHaveBeenCalledTimes(3)
  expect(clock.pending()).toBe(0)
})

it('a final answer ends the wait for a quiet one', async () => {
  const { result, push, clock } = waiting()
  await push(replaceable('Go'))
  await push(answer('C', { revision: 2 }))
  expect(await result).toMatchObject({ kind: 'decided', ending: { responses: { q1: picked('C') } } })
  expect(clock.pending()).toBe(0)
})

it('an answer that was taken back does not count', async () => {
  const { result, push, after, stop } = waiting()
  await push(replaceable('Go'))
  await push(draft('Go', 2))
  expect(await after(999)).toBe(false)
  stop.abort()
  expect(await result).toEqual({ kind: 'aborted', draft: draft('Go', 2) })
})

it('a draft that came in the last moment restarts the time, and is listened to at once', async () => {
  const { result, push, after, read, subscribe, clock } = waiting()
  read.mockResolvedValueOnce(draft('Go'))
  expect(await after(1000)).toBe(false)
  expect(read).toHaveBeenCalledExactlyOnceWith('c')
  expect(subscribe).toHaveBeenCalledTimes(2)
  expect(clock.pending()).toBe(1)
  await push(answer('Go'))
  expect(await result).toMatchObject({ kind: 'decided' })
})

it('an answer that came in the last moment counts', async () => {
  const { result, after, read } = waiting()
  read.mockResolvedValueOnce(answer('Go'))
  expect(await after(1000)).toBe(true)
  expect(await result).toMatchObject({ kind: 'decided' })
})

it('a subscription that ends is opened again after a pause', async () => {
  const { result, push, after, subscribe } = waiting()
  await push(null)
  expect(subscribe.mock.results[0]?.value.close).toHaveBeenCalledOnce()
  expect(await after(99)).toBe(false)
  expect(subscribe).toHaveBeenCalledTimes(1)
  expect(await after(1)).toBe(false)
  expect(subscribe).toHaveBeenCalledTimes(2)
  await push(answer('Go'))
  expect(await result).toMatchObject({ kind: 'decided' })
})

it.each(['the time', 'the signal'])('%s ends the pause before listening again', async (what) => {
  const { result, push, after, stop, subscribe } = waiting({ deadline: '2026-01-01T00:00:00.050Z' })
  await push(null)
  if (what === 'the signal') stop.abort()
  expect(await after(what === 'the signal' ? 0 : 50)).toBe(true)
  expect(await result).toEqual({ kind: what === 'the signal' ? 'aborted' : 'timed-out', draft: null })
  expect(subscribe.mock.calls.length).toBeLessThanOrEqual(2)
})

it('a quiet answer ends the pause before listening again', async () => {
  const { result, push, after } = waiting({}, { quietMs: 50 })
  await push(replaceable('Go'))
  await push(null)
  expect(await after(49)).toBe(false)
  expect(await after(1)).toBe(true)
  expect(await result).toMatchObject({ kind: 'answered', draft: replaceable('Go') })
})

it('a signal that aborted before ends the wait', async () => {
  const { result, read } = waiting({}, { signal: AbortSignal.abort() })
  expect(await result).toEqual({ kind: 'aborted', draft: null })
  expect(read).not.toHaveBeenCalled()
})

it('an answer file that cannot be read ends no wait, and a bug does', async () => {
  const { after, read, result } = waiting()
  read.mockRejectedValueOnce(new AskError('INVALID_FILE', 'torn'))
  expect(await after(1000)).toBe(true)
  expect(await result).toEqual({ kind: 'timed-out', draft: null })
  const bug = waiting()
  bug.read.mockRejectedValueOnce(new TypeError('bug'))
  bug.result.catch(() => {})
  await bug.after(1000)
  await expect(bug.result).rejects.toThrow('bug')
  expect(bug.clock.pending()).toBe(0)
})
