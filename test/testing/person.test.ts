import { AskError, type HostChannel, type Question, type RunnerChannel } from '@sandagent/core'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { FEATURES, LANGUAGE, NAME } from '@sandagent/fixtures/questions.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser } from '@sandagent/runner'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import {
  type Act,
  after,
  allows,
  answers,
  answersAfter,
  answersTwice,
  createFakeClock,
  createMemoryChannel,
  declines,
  denies,
  type FakeClock,
  inOrder,
  leavesDraft,
  mayBeRefused,
  neverAnswers,
  startPerson,
} from '@sandagent/testing'
import { describe, expect, it } from 'vitest'

interface Place {
  runner: RunnerChannel
  host: HostChannel
}

const PLACES: [string, (clock: FakeClock) => Place | Promise<Place>][] = [
  ['memory', (clock) => createMemoryChannel({ clock })],
  [
    'files',
    async () => {
      const workdir = await tempDir()
      return {
        runner: createFileRunnerChannel({ workdir }),
        host: createFileHostChannel({ files: createLocalFiles(workdir) }),
      }
    },
  ],
]

let calls = 0

describe.each(PLACES)('a scripted person at a channel in %s', (_, makePlace) => {
  /** An agent that asks these questions while this person is there. */
  async function meet(acts: Act | Act[], options: AskOptions = {}, ...questions: Question[]) {
    const clock = createFakeClock()
    const { runner, host } = await makePlace(clock)
    const person = startPerson(host, acts, { clock, answeredBy: 'ada' })
    const request = { toolCallId: `call-${++calls}`, runId: 'run-1', questions }
    const outcome = askUser(runner, request, { timeoutMs: 60_000, quietMs: 0, clock, ...options })
    return { clock, host, person, outcome, toolCallId: request.toolCallId }
  }

  it('answers by text, first line, header or id, with labels and with words of their own', async () => {
    const questions = [
      LANGUAGE,
      { ...FEATURES, header: 'Parts' },
      { ...NAME, id: 'name' },
      { question: '## Which port?\n\nAny number.', typed: { kind: 'number' as const, min: 1 } },
      { question: 'Anything else?', required: false },
    ]
    const said = {
      'Which language?': 'Python',
      Parts: ['Tests', 'Examples'],
      name: 'my-tool',
      'Which port?': '80',
    }
    const { person, outcome } = await meet([answers(said)], {}, ...questions)
    expect(await outcome).toMatchObject({
      kind: 'answered',
      answeredBy: 'ada',
      responses: {
        q1: { selected: ['Python'] },
        q2: { selected: ['Tests'], freeText: 'Examples' },
        name: { selected: [], freeText: 'my-tool' },
        q4: { selected: [], freeText: '80' },
      },
      unanswered: ['q5'],
    })
    expect(await person.done).toEqual([
      expect.objectContaining({ stored: { status: 'completed', revision: 1 } }),
    ])
  })

  it('answers after a time that the fake clock counts from the question', async () => {
    const { clock, host, person, outcome, toolCallId } = await meet(
      [answersAfter(3000, { 'Which language?': 'Python' })],
      {},
      LANGUAGE,
    )
    // One timer of the agent, and one of the person.
    await clock.whenPending(2)
    clock.advance(2999)
    expect((await host.read(toolCallId)).answerFile).toBeUndefined()
    clock.advance(1)
    expect(await outcome).toMatchObject({ kind: 'answered', elapsedMs: 3000 })
    await person.done
  })

  it('declines and says why', async () => {
    const { outcome } = await meet([declines('Too early')], {}, LANGUAGE)
    expect(await outcome).toMatchObject({ kind: 'declined', reason: 'Too early' })
  })

  it('answers twice, and the first answer counts', async () => {
    const { person, outcome } = await meet(
      [answersTwice({ 'Which language?': 'Python' }, { 'Which language?': 'TypeScript' })],
      {},
      LANGUAGE,
    )
    expect(await outcome).toMatchObject({ responses: { q1: { selected: ['Python'] } } })
    const [first, second] = await person.done
    expect(first?.stored).toMatchObject({ status: 'completed' })
    expect(['CONFLICT', 'GONE']).toContain(second?.refused?.code)
  })

  it('types and leaves, and the time runs out with their draft', async () => {
    const { clock, host, person, outcome, toolCallId } = await meet(
      [leavesDraft({ 'Which name?': 'half a na' })],
      {},
      NAME,
      LANGUAGE,
    )
    await person.done
    expect((await host.read(toolCallId)).answerFile).toMatchObject({ status: 'pending' })
    await clock.whenPending()
    let isOver = false
    const over = outcome.then(() => {
      isOver = true
    })
    // A draft begins the wait again once the runner has seen it.
    while (!isOver) {
      clock.advance(60_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await over
    expect(await outcome).toMatchObject({ kind: 'partial', responses: { q1: { freeText: 'half a na' } } })
  })

  it('never answers, and the time runs out', async () => {
    const { clock, person, outcome } = await meet([neverAnswers()], {}, LANGUAGE)
    expect(await person.done).toEqual([])
    await clock.whenPending()
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out' })
  })

  it('allows a tool, or denies it with a note', async () => {
    const permission: Question = {
      question: 'May the agent use Bash?',
      options: [
        { value: 'allow-once', label: 'Allow once' },
        { value: 'deny', label: 'Deny' },
      ],
      allowFreeText: false,
    }
    const yes = await meet([allows()], {}, permission)
    expect(await yes.outcome).toMatchObject({ responses: { q1: { selected: ['allow-once'] } } })
    const no = await meet([denies('Use the copy')], {}, permission)
    expect(await no.outcome).toMatchObject({
      responses: { q1: { selected: ['deny'], notes: 'Use the copy' } },
    })
  })
})

describe('startPerson', () => {
  const ask = (runner: RunnerChannel, toolCallId: string, question: Question, options?: AskOptions) =>
    askUser(runner, { toolCallId, runId: 'run-1', questions: [question] }, { quietMs: 0, ...options })

  it('does one act of the list for each call, in turn, and leaves later calls alone', async () => {
    const { runner, host } = createMemoryChannel()
    const person = startPerson(host, [answers({ 'Which language?': 'Python' }), declines()])
    expect(await ask(runner, 'a', LANGUAGE)).toMatchObject({ kind: 'answered' })
    expect(await ask(runner, 'b', NAME)).toMatchObject({ kind: 'declined' })
    expect(await person.done).toHaveLength(2)
    const stop = new AbortController()
    const left = ask(runner, 'c', NAME, { signal: stop.signal })
    stop.abort()
    expect(await left).toMatchObject({ kind: 'aborted' })
  })

  it('does a single act for every call until it is stopped', async () => {
    const { runner, host } = createMemoryChannel()
    const person = startPerson(host, answers({ 'Which language?': 'Python', 'Which name?': 'tool' }))
    expect(await ask(runner, 'a', LANGUAGE)).toMatchObject({ kind: 'answered' })
    expect(await ask(runner, 'b', NAME)).toMatchObject({ kind: 'answered' })
    await person.stop()
    expect(await person.done).toHaveLength(2)
  })

  it('fails at once when the person has no answer to a question', async () => {
    const { runner, host } = createMemoryChannel()
    const person = startPerson(host, [answers({ 'Which langauge?': 'Python' })])
    const stop = new AbortController()
    const outcome = ask(runner, 'a', LANGUAGE, { signal: stop.signal })
    await expect(person.done).rejects.toThrow(
      'The scripted person has no answer to "Which language?". They have answers to: "Which langauge?". Add this',
    )
    await expect(person.stop()).rejects.toThrow(AskError)
    stop.abort()
    await outcome
  })

  it('fails when the host refuses an answer, unless a refusal is allowed', async () => {
    const { runner, host } = createMemoryChannel()
    const wrong = { 'Which language?': ['Python', 'TypeScript'] }
    const person = startPerson(host, [answers(wrong)])
    const patient = startPerson(host, [inOrder(mayBeRefused(answers(wrong)), declines())])
    const outcome = ask(runner, 'a', LANGUAGE)
    await expect(person.done).rejects.toMatchObject({ code: 'INVALID_ANSWERS' })
    expect(await outcome).toMatchObject({ kind: 'declined' })
    expect((await patient.done).map(({ refused }) => refused?.code)).toEqual(['INVALID_ANSWERS', undefined])
  })

  it('sends nothing after it was stopped', async () => {
    const clock = createFakeClock()
    const { runner, host } = createMemoryChannel({ clock })
    const person = startPerson(host, [after(1000, declines())], { clock })
    const outcome = ask(runner, 'a', LANGUAGE, { clock, timeoutMs: 60_000 })
    await clock.whenPending(2)
    await person.stop()
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out' })
    expect(await person.done).toEqual([])
  })

  it('answers in a sandbox, as its host does', async () => {
    const workdir = await tempDir()
    const person = startPerson(new LocalSandbox({ workdir }), [declines()], { answeredBy: 'ada' })
    const outcome = await ask(createFileRunnerChannel({ workdir }), 'a', LANGUAGE)
    expect(outcome).toMatchObject({ kind: 'declined', answeredBy: 'ada' })
    await person.done
  })

  it('answers what the sandbox of a channel in memory lists', async () => {
    const { runner, sandbox } = createMemoryChannel()
    const outcome = ask(runner, 'a', LANGUAGE)
    await expect.poll(() => listQuestions(sandbox)).toMatchObject([{ toolCallId: 'a', state: 'open' }])
    await startPerson(sandbox, [answers({ 'Which language?': 'TypeScript' })]).done
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })
})
