import { AskError, addObserver, type QuestionCounts } from '@sandagent/core/internal'
import { createRunnerChannel } from '@sandagent/core/store'
import { sandboxOf } from '@sandagent/fixtures/channel-store.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createMemoryChannel, openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type ObservedSandboxes, observeQuestions } from '../../src/answers/observe-questions.ts'
import { submitAnswer } from '../../src/index.ts'
import { changed } from '../support/answer-api.ts'

/** Counts the questions of sandboxes, as telemetry does. */
function counting(sandboxes: ObservedSandboxes): {
  count: () => Promise<QuestionCounts | undefined>
  end: () => void
  isCounted: () => boolean
} {
  const found = new Set<() => Promise<QuestionCounts>>()
  onTestFinished(
    addObserver({
      counts(count) {
        found.add(count)
        return () => found.delete(count)
      },
    }),
  )
  const end = observeQuestions(sandboxes, { signingKeys: null })
  onTestFinished(end)
  return { count: async () => [...found][0]?.(), end, isCounted: () => found.size > 0 }
}

/** A sandbox that asked `t0`, `t1` and so on, in these days of January. */
async function asked(...days: number[]) {
  const channel = createMemoryChannel()
  for (const [n, day] of days.entries())
    await channel.runner.open(openRecord(`t${n}`, { askedAt: `2026-01-0${day}T00:00:00.000Z` }))
  const answer = (toolCallId: string, status: 'completed' | 'pending') =>
    submitAnswer(
      channel.sandbox,
      { toolCallId, answers: { 'Which language?': 'A' }, status },
      { signingKeys: null },
    )
  return { ...channel, answer }
}

it('the questions of all sandboxes that wait are counted, with the oldest', async () => {
  const [one, two] = [await asked(4, 3), await asked(2, 5, 6)]
  const { count } = counting([one.sandbox, two.sandbox])
  expect(await count()).toEqual({ open: 5, unread: 0, oldestAskedAt: '2026-01-02T00:00:00.000Z' })
  await two.answer('t0', 'completed')
  await two.answer('t1', 'pending')
  await one.answer('t1', 'completed')
  expect(await count()).toEqual({ open: 3, unread: 2, oldestAskedAt: '2026-01-04T00:00:00.000Z' })
})

it('an answer that its runner has taken is not unread', async () => {
  const { sandbox, runner, answer } = await asked(1)
  await answer('t0', 'completed')
  const { count } = counting([sandbox])
  expect(await count()).toEqual({ open: 0, unread: 1, oldestAskedAt: null })
  const responses = { q1: { selected: ['A'], source: 'human' as const } }
  await runner.settle('t0', {
    state: 'answered',
    settledAt: '2026-01-02T00:00:00.000Z',
    responses,
    revision: 1,
  })
  expect(await count()).toEqual({ open: 0, unread: 0, oldestAskedAt: null })
})

it('the sandboxes may change, and one that cannot be read counts as none', async () => {
  const { sandbox } = await asked(1)
  const questions = () => Promise.reject(new Error('It cannot be read'))
  const broken = sandboxOf({ questions, read: questions, subscribe: questions as never })
  const sandboxes: (typeof sandbox)[] = [broken]
  const { count, end, isCounted } = counting(async () => sandboxes)
  expect(await count()).toEqual({ open: 0, unread: 0, oldestAskedAt: null })
  sandboxes.push(sandbox)
  expect(await count()).toEqual({ open: 1, unread: 0, oldestAskedAt: '2026-01-01T00:00:00.000Z' })
  end()
  expect(isCounted()).toBe(false)
})

it('questions of a run that has ended do not wait, and a question that cannot be read is left out', async () => {
  const fleet = createMemoryFleet()
  const questions = fleet.questions('one')
  const runner = createRunnerChannel(questions)
  const startedAt = '2026-01-01T00:00:00.000Z'
  for (const runId of ['ended', 'running']) {
    await fleet.runs.put({ runId, namespace: 'one', startedAt, metadata: {} })
    await runner.open(openRecord(runId, { runId, askedAt: `2026-01-0${runId.length}T00:00:00.000Z` }))
  }
  const sandbox = fleetSandbox(fleet, 'one')
  const { count } = counting([sandbox])
  expect(await count()).toEqual({ open: 2, unread: 0, oldestAskedAt: '2026-01-05T00:00:00.000Z' })
  await fleet.runs.end({ runId: 'ended', startedAt, endedAt: startedAt })
  await vi.waitFor(async () =>
    expect(await count()).toEqual({ open: 1, unread: 0, oldestAskedAt: '2026-01-07T00:00:00.000Z' }),
  )
  const away = changed(sandbox, (channel) => ({
    states: async (records) =>
      (await channel.states(records)).map((state, n) =>
        n === 1 ? new AskError('UNREACHABLE', 'Not now') : state,
      ),
  }))
  expect(await counting([away]).count()).toEqual({ open: 0, unread: 0, oldestAskedAt: null })
})
