import type { ChannelWarning, Question, RunnerChannel } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { askUser, receiptsWritten } from '../../src/index.ts'
import { createWorkspace, picked, silentSubscription, type Workspace } from '../workspace.ts'

const questions: Question[] = [{ id: 'q1', question: 'A?', options: [{ label: 'A' }, { label: 'B' }] }]
const toolCallId = 'call_1'
const request = { toolCallId, questions, runId: 'run_1' }

let space: Workspace
let clock: ReturnType<typeof createFakeClock>
let warnings: ChannelWarning[]
let isFull: boolean
/** A channel to a disk that is full as long as `isFull`. */
let channel: RunnerChannel
beforeEach(async () => {
  space = await createWorkspace()
  clock = createFakeClock()
  warnings = []
  isFull = false
  const refuse = (code: string): void => {
    if (isFull) throw Object.assign(new Error(`${code}: the disk said no`), { code })
  }
  channel = {
    ...space.channel,
    async close(...args) {
      refuse('ENOSPC')
      return space.channel.close(...args)
    },
    async settle(...args) {
      refuse('EROFS')
      return space.channel.settle(...args)
    },
  }
})

async function asking(signal?: AbortSignal) {
  const onWarning = (warning: ChannelWarning) => void warnings.push(warning)
  const outcome = askUser(channel, request, { timeoutMs: 60_000, clock, signal, onWarning })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  return { outcome }
}

it('an answer reaches the agent although its receipt cannot be written, and the receipt follows', async () => {
  const { outcome } = await asking()
  isFull = true
  await space.respond(toolCallId, { q1: picked('A') })
  const first = await outcome
  expect(first).toMatchObject({ kind: 'answered', responses: { q1: picked('A') } })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  expect(warnings).toMatchObject([{ code: 'EROFS', toolCallId }])
  expect(await space.record(toolCallId)).toMatchObject({ state: 'open' })

  const written = receiptsWritten()
  for (const pauseMs of [100, 200, 400]) {
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    isFull = pauseMs < 400
    clock.advance(pauseMs)
  }
  await written
  expect(await space.record(toolCallId)).toMatchObject({ state: 'answered', revision: 1 })
  expect(clock.pending()).toBe(0)
  expect(warnings).toHaveLength(1)
})

it('the same call gives the same outcome while its receipt is not written', async () => {
  const { outcome } = await asking()
  isFull = true
  await space.respond(toolCallId, { q1: picked('A') })
  const first = await outcome
  expect(await askUser(channel, request, { clock })).toEqual(first)
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  isFull = false
  clock.advance(100)
  await receiptsWritten()
})

it('a time-out that cannot be recorded is none: the question waits on, and takes an answer', async () => {
  const { outcome } = await asking()
  isFull = true
  clock.advance(60_000)
  await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'ENOSPC', toolCallId }]))
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  isFull = false
  await space.respond(toolCallId, { q1: picked('B') })
  clock.advance(100)
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('B') } })
})

it('a time-out is recorded once that is possible again', async () => {
  const { outcome } = await asking()
  isFull = true
  clock.advance(60_000)
  await vi.waitFor(() => expect(warnings).toHaveLength(1))
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  isFull = false
  clock.advance(100)
  expect(await outcome).toMatchObject({ kind: 'timed-out' })
  expect(await space.record(toolCallId)).toMatchObject({ state: 'timed-out' })
})

it('a withdrawal does not wait for a disk, and its receipt follows', async () => {
  const stop = new AbortController()
  const { outcome } = await asking(stop.signal)
  isFull = true
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
  await vi.waitFor(() => expect(warnings).toHaveLength(2))
  isFull = false
  await vi.waitFor(async () => {
    clock.advance(100)
    expect(await space.record(toolCallId)).toMatchObject({ state: 'aborted' })
  })
})

it('an answer that cannot be read at the deadline for a moment reaches the agent', async () => {
  const read = vi.fn(space.channel.read)
  channel = {
    ...channel,
    read,
    subscribe: silentSubscription,
  }
  const { outcome } = await asking()
  await space.respond(toolCallId, { q1: picked('A') })
  const { AskError } = await import('@sandagent/core/internal')
  for (let n = 0; n < 3; n++)
    read.mockRejectedValueOnce(new AskError('UNREACHABLE', 'The answer cannot be read (EMFILE)'))
  clock.advance(60_000)
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  for (const pauseMs of [100, 200]) {
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(pauseMs)
  }
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('A') } })
})
