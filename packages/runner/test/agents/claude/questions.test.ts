import { passTime } from '@sandagent/fixtures/pass-time.ts'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClaudeQuestions } from '../../../src/agents/claude/questions.ts'
import { createWorkspace, picked, type Workspace } from '../../workspace.ts'

const question = { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }
const request = (toolCallId: string) => ({ toolCallId, runId: 'run_1', questions: [question] })

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

describe('a question that is asked for a while', () => {
  const clock = createFakeClock()
  const start = () => new ClaudeQuestions({ channel: space.channel, clock })
  const open = (toolCallId: string) =>
    vi.waitFor(async () => expect(await space.record(toolCallId)).toMatchObject({ state: 'open' }))

  it('stays open afterwards, for a later call to adopt', async () => {
    const questions = start()
    const first = questions.askFor(1000, request('a'))
    await open('a')
    clock.advance(1000)
    expect(await first).toBeNull()
    const again = questions.ask(request('a'))
    await space.respond('a', { q1: picked('B') })
    expect(await again).toMatchObject({ kind: 'answered' })
    await questions.settled()
  })

  it('stays open afterwards, though another waits', async () => {
    const questions = start()
    const first = questions.askFor(1000, request('a'))
    const second = questions.askFor(2000, request('b'))
    await Promise.all([open('a'), open('b')])
    clock.advance(1000)
    expect(await first).toBeNull()
    clock.advance(1000)
    expect(await second).toBeNull()
  })

  it('is asked on while another waits, if it is to be left alone only', async () => {
    const questions = start()
    const first = questions.askFor(1000, request('a'), { alone: true })
    const second = questions.askFor(1000, request('b'), { alone: true })
    await Promise.all([open('a'), open('b')])
    clock.advance(1000)
    await space.respond('a', { q1: picked('B') })
    expect(await first).toMatchObject({ kind: 'answered' })
    expect(await second).toBeNull()
    expect(await space.record('b')).toMatchObject({ state: 'open' })
    await questions.settled()
    expect(clock.pending()).toBe(0)
  })
})

it('a withdrawal during the wait is an outcome: no later call could adopt the question', async () => {
  const signals = [new AbortController(), new AbortController()] as const
  const [session, call] = signals
  const questions = new ClaudeQuestions({ channel: space.channel, signal: session.signal })
  for (const [index, stop] of [call, session].entries()) {
    const asked = questions.askFor(60_000, request(`a${index}`), { signal: call.signal })
    if (stop === session) {
      const other = questions.askFor(60_000, request('b'))
      await vi.waitFor(() => space.record('b'))
      session.abort()
      expect(await other).toMatchObject({ kind: 'aborted' })
    } else {
      await vi.waitFor(() => space.record(`a${index}`))
      call.abort()
    }
    expect(await asked).toMatchObject({ kind: 'aborted' })
  }
})

it('the same request is asked once, and only its caller gets an error', async () => {
  const shown: string[] = []
  const questions = new ClaudeQuestions({
    channel: space.channel,
    onAsked: ({ toolCallId }) => void shown.push(toolCallId),
  })
  const [first, again] = [questions.ask(request('a')), questions.ask(request('a'))]
  expect(again).toBe(first)
  await vi.waitFor(() => expect(shown).toEqual(['a']))
  const other = questions.ask({ ...request('a'), questions: [{ question: 'Another?' }] })
  await expect(other).rejects.toMatchObject({ code: 'CONFLICT' })
  const outcome = questions.questionOutcome('a')
  await space.respond('a', { q1: picked('B') })
  expect(await outcome).toMatchObject({ kind: 'answered' })
  expect(await first).toMatchObject({ kind: 'answered' })
  const failed = questions.ask({ ...request('c'), questions: [] })
  await expect(failed).rejects.toMatchObject({ code: 'INVALID_QUESTIONS' })
  expect(await questions.questionOutcome('c')).toBeUndefined()
  expect(await questions.questionOutcome('unknown')).toBeUndefined()
})

it('an approval has no outcome of a question, and takes no draft at its deadline', async () => {
  const clock = createFakeClock()
  const questions = new ClaudeQuestions({ channel: space.channel, clock, timeoutMs: 1000 })
  const asked = questions.ask({ ...request('a'), kind: 'approval' })
  await vi.waitFor(() => space.record('a'))
  expect(await questions.questionOutcome('a')).toBeUndefined()
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await space.respond('a', { q1: picked('B') }, { status: 'pending' })
  expect(await passTime(clock, 1000, asked)).toMatchObject({ kind: 'timed-out', responses: {} })
})
