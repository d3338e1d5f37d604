import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning, Outcome, Question, RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { noSystemWatches } from '@sandagent/fixtures/system-watches.ts'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AskOptions, askUser, receiptsWritten } from '../../src/index.ts'
import { createWorkspace, picked, type Workspace } from '../workspace.ts'

const questions: Question[] = [
  { id: 'language', question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] },
  {
    id: 'extras',
    question: 'Which extras?',
    multiSelect: true,
    options: [{ label: 'Tests' }, { label: 'CI, nightly' }],
  },
]
const both = { language: picked('Python'), extras: picked('Tests', 'CI, nightly') }
const toolCallId = 'call_1'
const request = { toolCallId, questions, runId: 'run_1' }

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

/** Asks, and resolves once the question can be answered. */
const asking = (options: AskOptions = {}, channel: RunnerChannel = space.channel) =>
  new Promise<{ outcome: Promise<Outcome> }>((resolve, reject) => {
    const onAsked = () => resolve({ outcome })
    const outcome = askUser(channel, request, { ...options, onAsked })
    outcome.catch(reject)
  })

describe('askUser', () => {
  it('publishes the question, waits for the answer, and leaves a receipt', async () => {
    const settle = vi.spyOn(space.channel, 'settle')
    const { outcome } = await asking()
    expect(await space.record(toolCallId)).toMatchObject({
      toolName: 'AskUserQuestion',
      kind: 'question',
      state: 'open',
      timeoutMs: 'never',
      deadline: null,
      runId: 'run_1',
    })
    await space.respond(toolCallId, both, { answeredBy: 'someone' })
    expect(await outcome).toMatchObject({
      kind: 'answered',
      answers: { language: 'Python', 'Which extras?': ['Tests', 'CI, nightly'] },
      responses: both,
      unanswered: [],
      answeredBy: 'someone',
    })
    await receiptsWritten()
    expect(await space.record(toolCallId)).toMatchObject({ state: 'answered', responses: both, revision: 1 })
    expect(settle).toHaveBeenCalledOnce()
  })

  it('takes no answer that was stored before it asked, also after a restart', async () => {
    await space.respond(toolCallId, both, { questions: questions.map(({ question }) => ({ question })) })
    const leave = new AbortController()
    const first = await asking({ detachSignal: leave.signal })
    expect((await space.record(toolCallId)).passedOver).toHaveLength(1)
    leave.abort()
    expect(await first.outcome).toMatchObject({ kind: 'aborted' })

    const { outcome } = await asking({}, createFileRunnerChannel({ workdir: space.workdir }))
    await space.respond(toolCallId, { language: picked('TypeScript'), extras: picked('Tests') })
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { language: picked('TypeScript') } })
  })

  it('listens again when the channel stops telling of answers', async () => {
    let times = 0
    const subscribe: RunnerChannel['subscribe'] = (...args) =>
      ++times > 2 ? space.channel.subscribe(...args) : { next: async () => null, close() {} }
    const { outcome } = await asking({}, { ...space.channel, subscribe })
    await vi.waitFor(() => expect(times).toBe(3))
    await space.respond(toolCallId, both)
    expect(await outcome).toMatchObject({ kind: 'answered', responses: both })
  })

  it('pauses before it listens again, and leaves no timer and no subscription when it is aborted in the pause', async () => {
    let times = 0
    const open = new Set<object>()
    const subscribe: RunnerChannel['subscribe'] = () => {
      const subscription = { next: async () => null, close: () => void open.delete(subscription) }
      open.add(subscription)
      times++
      return subscription
    }
    const clock = createFakeClock()
    const controller = new AbortController()
    const options = { clock, signal: controller.signal }
    const { outcome } = await asking(options, { ...space.channel, subscribe })
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    expect(times).toBe(1)
    clock.advance(100)
    await vi.waitFor(() => expect(times).toBe(2))
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    expect(open.size).toBe(0)
    controller.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    expect(clock.pending()).toBe(0)
  })

  it('carries what an answer file permits', async () => {
    const subject = { toolName: 'Bash', input: { command: 'ls' } }
    const outcome = askUser(space.channel, {
      ...request,
      toolName: 'Bash',
      kind: 'approval',
      subject,
    })
    await vi.waitFor(() => space.record(toolCallId))
    expect(await space.record(toolCallId)).toMatchObject({ toolName: 'Bash', kind: 'approval', subject })
    await space.respond(toolCallId, both)
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('takes no permission that was there before it was asked for', async () => {
    await space.respond(toolCallId, both)
    const stop = new AbortController()
    const warnings: ChannelWarning[] = []
    const outcome = askUser(
      space.channel,
      { ...request, kind: 'approval' },
      {
        signal: stop.signal,
        onWarning: (warning) => {
          warnings.push(warning)
          stop.abort()
        },
      },
    )
    expect(await outcome).toMatchObject({ kind: 'aborted', responses: {} })
    expect(warnings).toEqual([expect.objectContaining({ code: 'CONFLICT', toolCallId })])
  })

  it('reads the answer of an older writer, who gives text alone', async () => {
    const { outcome } = await asking()
    const older = {
      questions,
      answers: { 'Which language?': 'Python', 'Which extras?': 'Tests, CI, nightly' },
      status: 'completed',
      timestamp: '2025-01-30T12:00:00.000Z',
    }
    await writeFile(join(space.workdir, '.sandagent/approvals/call_1.json'), JSON.stringify(older))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: both })
  })

  it('tells an answer with a skipped question from a whole one, and one without any answer from both', async () => {
    const first = await asking()
    await space.respond(toolCallId, { ...both, extras: { skipped: true } })
    expect(await first.outcome).toMatchObject({ kind: 'partial', unanswered: ['extras'] })

    space = await createWorkspace()
    const second = await asking()
    await space.respond(toolCallId, { language: { skipped: true }, extras: { skipped: true } })
    expect(await second.outcome).toMatchObject({ kind: 'declined' })
  })

  it('gives a refusal with its reason, and none of the answers entered before', async () => {
    const { outcome } = await asking()
    await space.respond(toolCallId, both, { status: 'declined', reason: 'not now' })
    expect(await outcome).toMatchObject({ kind: 'declined', reason: 'not now', responses: {} })
  })

  it('refuses questions that cannot be asked before anything is written', async () => {
    await expect(askUser(space.channel, { ...request, questions: [] })).rejects.toMatchObject({
      code: 'INVALID_QUESTIONS',
    })
    expect(await readdir(space.workdir)).toEqual([])
  })

  it.each([
    [{ toolCallId: ' ' }, {}, 'toolCallId'],
    [{ toolName: '' }, {}, 'toolName'],
    [{}, { timeoutMs: 1e20 }, 'timeoutMs'],
    [{}, { timeoutMs: Number.NaN }, 'timeoutMs'],
  ])(
    'refuses %j with %j, which no host could read or nobody answer, before anything is written',
    async (call, options, path) => {
      await expect(askUser(space.channel, { ...request, ...call }, options)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        faults: [{ path }],
      })
      expect(await readdir(space.workdir)).toEqual([])
    },
  )
})

describe('askUser after a restart', () => {
  it('adopts the open question as it was recorded', async () => {
    const stop = new AbortController()
    void askUser(withoutLeaving(space.channel), request, { detachSignal: stop.signal })
    await vi.waitFor(() => space.record(toolCallId))
    const before = await space.record(toolCallId)
    stop.abort()

    const { outcome } = await asking()
    expect(await space.record(toolCallId)).toEqual(before)
    await space.respond(toolCallId, both)
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('adopts a permission whose subject is given in another order of keys', async () => {
    const input = { command: 'ls' }
    const permission = { ...request, kind: 'approval' as const, subject: { toolName: 'Bash', input } }
    const outcome = askUser(space.channel, permission)
    await vi.waitFor(() => space.record(toolCallId))
    await space.respond(toolCallId, both)
    const first = await outcome
    const again = { ...permission, subject: { input, toolName: 'Bash' } }
    expect(await askUser(space.channel, again)).toEqual(first)
  })

  it('gives the same outcome again without asking again', async () => {
    const { outcome } = await asking()
    await space.respond(toolCallId, both)
    const first = await outcome
    expect(await askUser(space.channel, request)).toEqual(first)
  })

  it('fails when the tool call id is taken by other questions', async () => {
    const { outcome } = await asking()
    await expect(
      askUser(space.channel, { ...request, questions: [{ question: 'Something else?' }] }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await space.respond(toolCallId, both)
    await outcome
  })
})

describe('askUser with answer files that are no answer', () => {
  it('warns once of an answer to another question under the same id, and waits on', async () => {
    const warnings: ChannelWarning[] = []
    await space.respond(toolCallId, both, { status: 'pending', nonce: 'another question' })
    const { outcome } = await asking({ onWarning: (warning) => warnings.push(warning) })
    await vi.waitFor(() => expect(warnings).toHaveLength(1))
    await space.respond(toolCallId, both)
    expect(await outcome).toMatchObject({ kind: 'answered' })
    expect(warnings).toMatchObject([{ code: 'CONFLICT', toolCallId }])
  })

  it('warns of an answer to questions that were edited before the person saw them, and waits on', async () => {
    const warnings: ChannelWarning[] = []
    const { outcome } = await asking({ onWarning: (warning) => warnings.push(warning) })
    const edited = questions.map((question) => ({ ...question, question: `Not ${question.question}` }))
    await space.respond(toolCallId, both, { status: 'pending', questions: edited })
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'CONFLICT', toolCallId }]))
    await space.respond(toolCallId, both)
    expect(await outcome).toMatchObject({ kind: 'answered', responses: both })
  })

  it('warns of an answer that does not fit the questions, and waits on', async () => {
    const warnings: ChannelWarning[] = []
    const { outcome } = await asking({ onWarning: (warning) => warnings.push(warning) })
    const path = join(space.workdir, '.sandagent/approvals/call_1.json')
    const wrong = {
      questions,
      answers: { 'Which language?': 'Python' },
      status: 'completed',
      timestamp: '2025-01-30T12:00:00.000Z',
    }
    await writeFile(path, JSON.stringify(wrong))
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'INVALID_ANSWERS' }]))
    expect(warnings[0]?.message).toContain('responses.extras')
    await writeFile(
      path,
      JSON.stringify({ ...wrong, answers: { ...wrong.answers, 'Which extras?': 'Tests' } }),
    )
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { extras: picked('Tests') } })
  })
})

describe('askUser with an abort', () => {
  it('writes nothing when the signal has aborted before', async () => {
    const outcome = await askUser(space.channel, request, { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ kind: 'aborted', responses: {}, unanswered: ['language', 'extras'] })
    expect(await readdir(space.workdir)).toEqual([])
  })

  describe.each([
    ['one channel', () => space.channel],
    ['another channel to the same folder', () => createFileRunnerChannel({ workdir: space.workdir })],
  ] as [string, () => RunnerChannel][])('asks anew by %s', (_, channel) => {
    it('what was withdrawn before it was stored', async () => {
      const stop = new AbortController()
      const first = askUser(space.channel, request, { signal: stop.signal })
      stop.abort()
      const second = await asking({ asksWithdrawn: true }, channel())
      expect(await first).toMatchObject({ kind: 'aborted' })
      expect(await space.record(toolCallId)).toMatchObject({ state: 'open' })
      await space.respond(toolCallId, both)
      expect(await second.outcome).toMatchObject({ kind: 'answered' })
    })

    it('what was withdrawn when it was stored, before it waited', async () => {
      const stop = new AbortController()
      let first = Promise.resolve<Outcome | null>(null)
      const second = await new Promise<Awaited<ReturnType<typeof asking>>>((resolve) => {
        const onAsked = () => {
          stop.abort()
          resolve(asking({ asksWithdrawn: true }, channel()))
        }
        first = askUser(space.channel, request, { signal: stop.signal, onAsked })
      })
      expect(await first).toMatchObject({ kind: 'aborted' })
      expect(await space.record(toolCallId)).toMatchObject({ state: 'open' })
      await space.respond(toolCallId, both)
      expect(await second.outcome).toMatchObject({ kind: 'answered' })
    })
  })

  it('settles as aborted during the wait', async () => {
    const stop = new AbortController()
    const { outcome } = await asking({ signal: stop.signal })
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    expect(await space.record(toolCallId)).toMatchObject({ state: 'aborted', responses: {} })
  })

  it('leaves the question open when only the wait shall end', async () => {
    const leave = new AbortController()
    const { outcome } = await asking({ signal: new AbortController().signal, detachSignal: leave.signal })
    const asked = await space.record(toolCallId)
    leave.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted', responses: {} })
    await receiptsWritten()
    expect(await space.record(toolCallId)).toEqual({ ...asked, left: true })

    const again = await asking()
    expect(await space.record(toolCallId)).toEqual(asked)
    await space.respond(toolCallId, both)
    expect(await again.outcome).toMatchObject({ kind: 'answered', responses: both })
  })

  it('is not left while another call of the process waits for it, and is left by the last one', async () => {
    const [one, two] = [new AbortController(), new AbortController()]
    const first = await asking({ detachSignal: one.signal })
    const second = await asking({ detachSignal: two.signal })
    one.abort()
    expect(await first.outcome).toMatchObject({ kind: 'aborted' })
    await receiptsWritten()
    expect(await space.record(toolCallId)).not.toHaveProperty('left')
    two.abort()
    expect(await second.outcome).toMatchObject({ kind: 'aborted' })
    await receiptsWritten()
    expect(await space.record(toolCallId)).toMatchObject({ state: 'open', left: true })
  })

  it('ends the wait at once, however long it takes to tell people that nobody waits', async () => {
    let write = (): void => {}
    const isWritten = new Promise<void>((resolve) => {
      write = resolve
    })
    const slow = {
      ...space.channel,
      leave: async (id: string) => {
        await isWritten
        return space.channel.leave(id)
      },
    }
    const stop = new AbortController()
    const outcome = new Promise<Outcome>((resolve, reject) => {
      const onAsked = () => stop.abort()
      askUser(slow, request, { detachSignal: stop.signal, onAsked }).then(resolve, reject)
    })
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    expect(await space.record(toolCallId)).not.toHaveProperty('left')
    // Who asks again would be taken for gone, too.
    const again = asking()
    write()
    const { outcome: answered } = await again
    await receiptsWritten()
    expect(await space.record(toolCallId)).not.toHaveProperty('left')
    await space.respond(toolCallId, both)
    expect(await answered).toMatchObject({ kind: 'answered' })
  })

  it('ends many questions that wait with one signal, without a warning of Node', async () => {
    const warned = vi.spyOn(process, 'emitWarning')
    onTestFinished(() => warned.mockRestore())
    const stop = new AbortController()
    const outcomes = Array.from({ length: 20 }, (_, n) =>
      askUser(space.channel, { ...request, toolCallId: `call_${n}` }, { signal: stop.signal }),
    )
    await vi.waitFor(async () => expect((await space.host.questions()).length).toBe(20))
    stop.abort()
    for (const { kind } of await Promise.all(outcomes)) expect(kind).toBe('aborted')
    expect(warned).not.toHaveBeenCalled()
  })

  it('leaves no timer, watcher or listener behind', async () => {
    await noSystemWatches()
    const clock = createFakeClock()
    const stop = new AbortController()
    const removed = vi.spyOn(stop.signal, 'removeEventListener')
    const added = vi.spyOn(stop.signal, 'addEventListener')
    const { outcome } = await asking({ timeoutMs: 60_000, clock, signal: stop.signal })
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    await space.respond(toolCallId, both)
    await outcome
    expect(clock.pending()).toBe(0)
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
    await noSystemWatches()
  })
})

/** A runner that dies: it asks, and never gets to say that it leaves. */
const withoutLeaving = (channel: RunnerChannel): RunnerChannel => ({
  ...channel,
  leave: async () => {},
})
