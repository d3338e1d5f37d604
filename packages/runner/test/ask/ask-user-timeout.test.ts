import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError, type ChannelWarning, type Question, type RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openRecordOf } from '../../src/ask/ask-request.ts'
import { type AskOptions, askUser } from '../../src/index.ts'
import { createWorkspace, picked, silentSubscription, type Workspace, watched } from '../workspace.ts'

const questions: Question[] = [
  { id: 'language', question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] },
  {
    id: 'licence',
    question: 'Which licence?',
    options: [{ label: 'MIT' }, { label: 'none' }],
    defaultOption: 'MIT',
  },
]
const toolCallId = 'call_1'
const both = { language: picked('Python'), licence: picked('none') }

let space: Workspace
let clock: ReturnType<typeof createFakeClock>
beforeEach(async () => {
  space = await createWorkspace()
  clock = createFakeClock()
})

/**
 * Asks for a minute, and resolves once the wait has begun. A draft restarts the minute when the asker sees it, so a test
 * awaits `draftSeen` before it moves the clock.
 */
async function asking(options: AskOptions = {}, channel: RunnerChannel = space.channel) {
  const { channel: watchedChannel, draftSeen } = watched(channel)
  const outcome = askUser(
    watchedChannel,
    { toolCallId, questions, runId: 'run_1' },
    { timeoutMs: 60_000, clock, ...options },
  )
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  return { outcome, draftSeen }
}

/** The record of the question that {@link asking} asks. */
const asked = () => openRecordOf({ toolCallId, questions, runId: 'run_1' }, 60_000, clock.now())

const draft = (minutesLater: number) => ({
  status: 'pending' as const,
  timestamp: new Date(clock.now() + minutesLater * 60_000).toISOString(),
})

describe('askUser when nobody answers in time', () => {
  it('tells so, with the questions left open', async () => {
    const { outcome } = await asking()
    clock.advance(60_000)
    expect(await outcome).toMatchObject({
      kind: 'timed-out',
      responses: {},
      unanswered: ['language', 'licence'],
      elapsedMs: 60_000,
    })
    expect(await space.record(toolCallId)).toMatchObject({ state: 'timed-out' })
    expect(clock.pending()).toBe(0)
  })

  it('gives what was entered so far', async () => {
    const { outcome, draftSeen } = await asking()
    await space.respond(toolCallId, { language: picked('Python') }, { ...draft(0), answeredBy: 'someone' })
    await draftSeen
    clock.advance(60_000)
    expect(await outcome).toMatchObject({
      kind: 'partial',
      responses: { language: picked('Python') },
      unanswered: ['licence'],
      answeredBy: 'someone',
    })
  })

  it('adds the defaults, marked as such, where the asker opted in', async () => {
    const { outcome, draftSeen } = await asking({ timeoutPolicy: 'defaults' })
    await space.respond(toolCallId, { language: picked('Python') }, draft(0))
    await draftSeen
    clock.advance(60_000)
    expect(await outcome).toMatchObject({
      kind: 'partial',
      responses: { language: picked('Python'), licence: { selected: ['MIT'], source: 'default' } },
    })
  })

  it('does not take defaults alone for an answer', async () => {
    const { outcome } = await asking({ timeoutPolicy: 'defaults' })
    clock.advance(60_000)
    expect(await outcome).toMatchObject({
      kind: 'timed-out',
      responses: { licence: { selected: ['MIT'], source: 'default' } },
      unanswered: ['language'],
    })
  })

  it('discards what was entered where the asker wants all or nothing', async () => {
    const { outcome, draftSeen } = await asking({ timeoutPolicy: 'decline' })
    await space.respond(toolCallId, { language: picked('Python') }, draft(0))
    await draftSeen
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out', responses: {} })
  })

  it('waits longer for a person who is at it', async () => {
    const { outcome, draftSeen } = await asking()
    clock.advance(50_000)
    await space.respond(toolCallId, { language: picked('Python') }, draft(0))
    await draftSeen
    clock.advance(10_000)
    expect(await space.record(toolCallId)).toMatchObject({ state: 'open' })
    clock.advance(50_000)
    expect(await outcome).toMatchObject({ kind: 'partial', elapsedMs: 110_000 })
  })

  it.each([-600, 600])(
    'waits a minute from a draft, though the clock of its host is %d minutes ahead',
    async (ahead) => {
      const { outcome } = await asking()
      clock.advance(50_000)
      await space.respond(toolCallId, { language: picked('Python') }, draft(ahead))
      // The runner sees the draft now, or at the latest when it looks at the deadline. So its minute ends after 110 or 120
      // seconds.
      clock.advance(10_000)
      await vi.waitFor(() => expect(clock.pending()).toBe(1))
      clock.advance(49_999)
      await new Promise((resolve) => setImmediate(resolve))
      expect(await space.record(toolCallId)).toMatchObject({ state: 'open' })
      clock.advance(10_001)
      expect(await outcome).toMatchObject({ kind: 'partial', responses: { language: picked('Python') } })
    },
  )

  it.each([-600, 600])(
    'waits a minute by its own timer, though its clock jumps by %d minutes',
    async (minutes) => {
      const jumping = { ...clock, now: () => clock.now() + jumpedMs }
      let jumpedMs = 0
      const { outcome, draftSeen } = await asking({ clock: jumping })
      jumpedMs = minutes * 60_000
      clock.advance(59_999)
      await space.respond(toolCallId, { language: picked('Python') }, { status: 'pending' })
      await draftSeen
      clock.advance(60_000)
      expect(await outcome).toMatchObject({ kind: 'partial' })
    },
  )

  it('keeps its own deadline when it is adopted after a restart', async () => {
    const stop = new AbortController()
    void asking({ detachSignal: stop.signal }, { ...space.channel, leave: async () => {} })
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    stop.abort()
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
    clock.advance(45_000)
    const { outcome } = await asking({ timeoutMs: 'never' })
    clock.advance(15_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out', elapsedMs: 60_000 })
  })
})

describe('askUser when an answer and the deadline meet', () => {
  it('takes an answer that was stored while the question was closing', async () => {
    const steps: string[] = []
    const channel: RunnerChannel = {
      ...space.channel,
      async close(id, reason) {
        steps.push(reason)
        await space.respond(toolCallId, both)
        return space.channel.close(id, reason)
      },
      async settle(id, receipt) {
        expect(await space.record(toolCallId)).toMatchObject({ state: 'closing', closingFor: 'timed-out' })
        steps.push(receipt.state)
        return space.channel.settle(id, receipt)
      },
    }
    const { outcome } = await asking({}, channel)
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ kind: 'answered', responses: both })
    expect(steps).toEqual(['timed-out', 'answered'])
    expect(await space.record(toolCallId)).toMatchObject({ state: 'answered', revision: 1 })
  })

  it('takes the draft that was stored while the question was closing', async () => {
    const channel: RunnerChannel = {
      ...space.channel,
      async close(id, reason) {
        await space.respond(toolCallId, { language: picked('Python') }, draft(0))
        return space.channel.close(id, reason)
      },
    }
    const { outcome } = await asking({}, channel)
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ kind: 'partial', responses: { language: picked('Python') } })
    expect(await space.record(toolCallId)).toMatchObject({ state: 'partial', revision: 1 })
  })

  it('tries again soon to close a question that cannot be closed, and keeps what was entered', async () => {
    let attempts = 0
    const channel: RunnerChannel = {
      ...space.channel,
      async close(id, reason) {
        if (++attempts === 1) throw new AskError('UNREACHABLE', 'The disk is gone')
        return space.channel.close(id, reason)
      },
    }
    const { outcome, draftSeen } = await asking({}, channel)
    await space.respond(toolCallId, { language: picked('Python') }, draft(0))
    await draftSeen
    clock.advance(60_000)
    await vi.waitFor(() => expect(attempts).toBe(1))
    for (let second = 0; second < 30 && attempts === 1; second++) {
      await vi.waitFor(() => expect(clock.pending() + attempts).toBeGreaterThan(1))
      clock.advance(1000)
    }
    expect(attempts).toBe(2)
    expect(await outcome).toMatchObject({ kind: 'partial', responses: { language: picked('Python') } })
  })

  it('gives the answer that was stored before a withdrawal was seen', async () => {
    const stop = new AbortController()
    const channel: RunnerChannel = {
      ...space.channel,
      async close(id, reason) {
        await space.respond(toolCallId, both)
        return space.channel.close(id, reason)
      },
    }
    const { outcome } = await asking({ signal: stop.signal }, channel)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'answered', responses: both })
    expect(await space.record(toolCallId)).toMatchObject({ state: 'answered' })
  })

  it.each([
    ['timed-out', {}, 'timed-out'],
    ['aborted', {}, 'aborted'],
    ['timed-out', both, 'answered'],
    ['aborted', both, 'answered'],
  ] as const)(
    'ends a question that an earlier process left closing for %s, with %j stored, without waiting again',
    async (reason, responses, kind) => {
      await space.channel.open(asked())
      await space.channel.close(toolCallId, reason)
      if (kind === 'answered') await space.respond(toolCallId, responses)
      const channel = createFileRunnerChannel({ workdir: space.workdir, clock })
      const request = { toolCallId, questions, runId: 'run_2' }
      expect(await askUser(channel, request, { clock })).toMatchObject({ kind, responses })
      expect(await space.record(toolCallId)).toMatchObject({ state: kind })
    },
  )

  it('takes an answer that no event told of', async () => {
    const channel: RunnerChannel = {
      ...space.channel,
      subscribe: silentSubscription,
    }
    const { outcome } = await asking({}, channel)
    await space.respond(toolCallId, both)
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })
})

it('the time runs out also where somebody has put another question in its place', async () => {
  const warnings: ChannelWarning[] = []
  const { outcome } = await asking({ onWarning: (warning) => warnings.push(warning) })
  const path = join(space.workdir, '.sandagent/questions/call_1.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, JSON.stringify({ ...JSON.parse(text), nonce: 'another question' }))
  clock.advance(60_000)
  expect(await outcome).toMatchObject({ kind: 'timed-out' })
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'CONFLICT', toolCallId }))
  // Its receipt does not replace the other question.
  expect(await space.record(toolCallId)).toMatchObject({ state: 'open', nonce: 'another question' })
  await writeFile(path, text)
  await vi.waitFor(async () => {
    clock.advance(30_000)
    expect(await space.record(toolCallId)).toMatchObject({ state: 'timed-out' })
  })
})
