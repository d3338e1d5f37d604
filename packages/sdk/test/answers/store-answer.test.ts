import { type HostChannel, systemClock } from '@sandagent/core'
import { createFileHostChannel } from '@sandagent/files'
import { createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { questionsOf } from '../../src/answers/questions.ts'
import { storeAnswer } from '../../src/answers/store-answer.ts'
import type { LocalSandbox } from '../../src/index.ts'
import {
  answerFile,
  ask,
  close,
  LANGUAGE,
  picked,
  refusalOf,
  settle,
  tempSandbox,
} from '../support/temp-sandbox.ts'

const ASKED_AT = Date.parse('2025-01-30T12:00:00.000Z')
const LATER = '2025-01-30T12:01:00.000Z'
const at = (ms: number) => ({ clock: { now: () => ASKED_AT + ms, after: () => () => {} } })
const answer = { toolCallId: 'toolu_1', answers: { 'Which language?': 'Python' } }
const draft = { ...answer, status: 'pending' } as const

const channelOf = (sandbox: LocalSandbox): HostChannel => createFileHostChannel({ files: sandbox.files })

/** A question that waits for a minute. */
async function askedForAMinute(): Promise<LocalSandbox> {
  const sandbox = await tempSandbox()
  const [askedAt, deadline] = [ASKED_AT, ASKED_AT + 60_000].map((ms) => new Date(ms).toISOString())
  await ask(sandbox, 'toolu_1', undefined, {
    askedAt: askedAt as string,
    timeoutMs: 60_000,
    deadline: deadline as string,
  })
  return sandbox
}

describe('an answer that comes too late', () => {
  it.each(['answered', 'partial', 'declined', 'timed-out', 'aborted'] as const)(
    'is gone when the question was settled as %s without it',
    async (state) => {
      const sandbox = await askedForAMinute()
      await storeAnswer(channelOf(sandbox), draft, at(1000))
      const before = await answerFile(sandbox, 'toolu_1')
      await settle(sandbox, 'toolu_1', { state })
      for (const late of [answer, draft, { ...answer, status: 'declined' as const }])
        expect(await refusalOf(storeAnswer(channelOf(sandbox), late, at(2000)))).toMatchObject({
          code: 'GONE',
          facts: { question: { state } },
        })
      expect(await answerFile(sandbox, 'toolu_1')).toEqual(before)
    },
  )

  it.each([60_000, 10 * 60 * 60_000, -10 * 60 * 60_000])(
    'is in time as long as the runner waits, though the clock of the host is %d ms ahead',
    async (ms) => {
      const sandbox = await askedForAMinute()
      expect(await questionsOf(channelOf(sandbox))).toMatchObject([{ toolCallId: 'toolu_1' }])
      expect(await storeAnswer(channelOf(sandbox), draft, at(ms))).toMatchObject({ revision: 1 })
      expect(await storeAnswer(channelOf(sandbox), answer, at(ms))).toMatchObject({ status: 'completed' })
    },
  )

  it('succeeds again after the deadline, once it was stored in time', async () => {
    const sandbox = await askedForAMinute()
    const stored = await storeAnswer(channelOf(sandbox), { ...answer, status: 'completed' }, at(59_000))
    expect(await storeAnswer(channelOf(sandbox), { ...answer, status: 'completed' }, at(90_000))).toEqual(
      stored,
    )
  })

  it('conflicts with the one that counts, if it was stored and came to its sandbox too late', async () => {
    const sandbox = await askedForAMinute()
    const completed = { ...answer, status: 'completed' } as const
    await storeAnswer(channelOf(sandbox), completed, at(1000))
    const channel = channelOf(sandbox)
    let hasArrived = false
    const other = {
      answers: { 'Which language?': 'Rust' },
      responses: { q1: picked('Rust') },
      timestamp: LATER,
    }
    const parked: HostChannel = {
      ...channel,
      async persist() {
        hasArrived = true
      },
      async read(id) {
        const state = await channel.read(id)
        return hasArrived && state.answerFile
          ? { ...state, answerFile: { ...state.answerFile, ...other } }
          : state
      },
    }
    await expect(storeAnswer(parked, completed, at(2000))).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it.each([
    ['timed out', { state: 'timed-out' }],
    ['partial, of the draft before it', { state: 'partial', revision: 1 }],
  ] as const)('is gone when the question is settled as %s while it is being written', async (_, receipt) => {
    const sandbox = await askedForAMinute()
    await storeAnswer(channelOf(sandbox), draft, at(1000))
    const channel: HostChannel = {
      ...channelOf(sandbox),
      async write(...args) {
        await settle(sandbox, 'toolu_1', receipt)
        return channelOf(sandbox).write(...args)
      },
    }
    expect(await refusalOf(storeAnswer(channel, answer, at(59_999)))).toMatchObject({
      code: 'GONE',
      facts: { question: { state: receipt.state } },
    })
    expect(await refusalOf(storeAnswer(channelOf(sandbox), answer, at(60_001)))).toMatchObject({
      code: 'GONE',
    })
  })

  it('is gone when an older writer, who counts no revisions, had stored it after the time-out', async () => {
    const sandbox = await askedForAMinute()
    await settle(sandbox, 'toolu_1', { state: 'timed-out' })
    const older = { questions: [LANGUAGE], answers: answer.answers, status: 'completed', timestamp: LATER }
    await sandbox.files.writeAtomic('.sandagent/approvals/toolu_1.json', JSON.stringify(older))
    expect(await refusalOf(storeAnswer(channelOf(sandbox), answer, at(60_001)))).toMatchObject({
      code: 'GONE',
    })
  })
})

describe('an answer to a question that is closing', () => {
  const taken = { responses: { q1: picked('Python') }, revision: 1 }
  const RECEIPTS = [
    ['completed', { state: 'answered', ...taken }, 'stored'],
    ['completed', { state: 'timed-out' }, 'GONE'],
    ['completed', { state: 'aborted' }, 'GONE'],
    ['completed', { state: 'answered', ...taken, revision: 2 }, 'GONE'],
    ['completed', { state: 'answered', ...taken, responses: { q1: picked('TypeScript') } }, 'GONE'],
    ['pending', { state: 'partial', ...taken }, 'stored'],
    ['pending', { state: 'answered', ...taken, revision: 2 }, 'stored'],
    ['pending', { state: 'timed-out' }, 'GONE'],
    ['declined', { state: 'declined', revision: 1 }, 'stored'],
    ['declined', { state: 'timed-out' }, 'GONE'],
  ] as const

  it.each(RECEIPTS)('%s: with the receipt %j it is %s', async (status, receipt, told) => {
    const sandbox = await askedForAMinute()
    await close(sandbox, 'toolu_1')
    const stored = storeAnswer(channelOf(sandbox), { ...answer, status }, { clock: systemClock })
    const settled = vi
      .waitFor(() => answerFile(sandbox, 'toolu_1'))
      .then(() => settle(sandbox, 'toolu_1', receipt))
    if (told === 'stored') expect(await stored).toEqual({ status, revision: 1 })
    else
      expect(await refusalOf(stored)).toMatchObject({
        code: told,
        facts: { question: { state: receipt.state } },
      })
    await settled
  })

  it('is not acknowledged while no receipt comes, and sending it again tells what became of it', async () => {
    const sandbox = await askedForAMinute()
    await close(sandbox, 'toolu_1')
    const clock = createFakeClock()
    const unknown = async (): Promise<void> => {
      const refusal = refusalOf(storeAnswer(channelOf(sandbox), answer, { clock }))
      await vi.waitFor(() => expect(clock.pending()).toBe(1))
      clock.advance(10_000)
      expect(await refusal).toMatchObject({
        code: 'UNREACHABLE',
        message: expect.stringContaining('is stored'),
        facts: { question: { state: 'sent' } },
      })
      expect(clock.pending()).toBe(0)
    }
    await unknown()
    await unknown()
    await settle(sandbox, 'toolu_1', taken)
    expect(await storeAnswer(channelOf(sandbox), answer, { clock })).toMatchObject({ status: 'completed' })
  })

  it('is stored for the next start of a run that died before its receipt', async () => {
    const sandbox = await askedForAMinute()
    await close(sandbox, 'toolu_1')
    const channel = createFileHostChannel({ files: sandbox.files, hasRunEnded: async () => true })
    expect(await storeAnswer(channel, answer, at(0))).toEqual({ status: 'completed', revision: 1 })
  })

  it('is not acknowledged before the receipt, though a newer click took its place', async () => {
    const sandbox = await askedForAMinute()
    await close(sandbox, 'toolu_1')
    const newer = { ...answer, answers: { 'Which language?': 'TypeScript' } }
    const told = [
      storeAnswer(channelOf(sandbox), newer, { clock: systemClock, arrivedAt: ASKED_AT + 2 }),
      vi
        .waitFor(() => answerFile(sandbox, 'toolu_1'))
        .then(() => storeAnswer(channelOf(sandbox), answer, { clock: systemClock, arrivedAt: ASKED_AT + 1 })),
    ].map(refusalOf)
    await vi.waitFor(() => answerFile(sandbox, 'toolu_1'))
    await settle(sandbox, 'toolu_1', { state: 'timed-out' })
    for (const refusal of told) expect(await refusal).toMatchObject({ code: 'GONE' })
  })

  it('is gone though it was sent before, when the question ended between the look at it and at its answer', async () => {
    const sandbox = await askedForAMinute()
    const final = { ...answer, status: 'completed' } as const
    const files: LocalSandbox['files'] = Object.create(sandbox.files, {
      read: {
        async value(path: string) {
          if (path.endsWith('.toolu_1.final') && settled === undefined) {
            settled = settle(sandbox, 'toolu_1', { state: 'timed-out' })
            await settled
            await expect(storeAnswer(frozen, final, at(1000))).rejects.toMatchObject({ code: 'GONE' })
          }
          return sandbox.files.read(path)
        },
      },
    })
    let settled: Promise<void> | undefined
    // Another host looked while the question was open, and stores the same answer too late.
    const open = await channelOf(sandbox).read('toolu_1')
    let isFirst = true
    const frozen: HostChannel = {
      ...channelOf(sandbox),
      async read(toolCallId) {
        if (!isFirst) return channelOf(sandbox).read(toolCallId)
        isFirst = false
        return open
      },
    }
    const slow = createFileHostChannel({ files })
    expect(await refusalOf(storeAnswer(slow, final, at(1000)))).toMatchObject({ code: 'GONE' })
  })

  it('is listed to nobody', async () => {
    const sandbox = await askedForAMinute()
    await close(sandbox, 'toolu_1')
    expect(await questionsOf(channelOf(sandbox))).toEqual([])
  })
})

describe('an answer that meets another one', () => {
  it('is told of a final one that came while it was being written', async () => {
    const sandbox = await askedForAMinute()
    const rival = { ...answer, answers: { 'Which language?': 'TypeScript' } }
    const channel: HostChannel = {
      ...channelOf(sandbox),
      async write(...args) {
        await storeAnswer(channelOf(sandbox), rival, { ...at(1000), answeredBy: 'ada' })
        return channelOf(sandbox).write(...args)
      },
    }
    expect(await refusalOf(storeAnswer(channel, answer, at(1000)))).toMatchObject({
      code: 'CONFLICT',
      facts: { question: { answeredBy: 'ada', responses: { q1: picked('TypeScript') } } },
    })
  })

  it('gives up against drafts that never stop coming', async () => {
    const sandbox = await askedForAMinute()
    const channel: HostChannel = {
      ...channelOf(sandbox),
      async write(...args) {
        await storeAnswer(channelOf(sandbox), draft, { ...at(1000), answeredBy: 'ada' })
        return channelOf(sandbox).write(...args)
      },
    }
    expect(await refusalOf(storeAnswer(channel, answer, at(1000)))).toMatchObject({ code: 'CONFLICT' })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status: 'pending' })
  })
})

it('an answer that comes second waits until its question has closed, and says how it ended', async () => {
  for (const state of ['timed-out', 'closing'] as const) {
    const sandbox = await askedForAMinute()
    const clock = createFakeClock('2025-01-30T12:00:01.000Z')
    const first = { ...answer, status: 'completed' as const }
    await storeAnswer(channelOf(sandbox), first, { clock, answeredBy: 'Ann' })
    await close(sandbox, 'toolu_1')
    const other = { ...first, answers: { 'Which language?': 'TypeScript' } }
    const refusal = refusalOf(storeAnswer(channelOf(sandbox), other, { clock, answeredBy: 'Bo' }))
    await clock.whenPending()
    if (state === 'closing') clock.advance(60_000)
    else await settle(sandbox, 'toolu_1', { state })
    expect(await refusal).toMatchObject({ code: state === 'closing' ? 'CONFLICT' : 'GONE' })
  }
})

it('votes without a status all count, in whatever order they came', async () => {
  const { runner, host } = createMemoryChannel({ clock: createFakeClock() })
  await runner.open(openRecord('a'))
  const vote = { toolCallId: 'a', answers: { 'Which language?': 'A' } }
  const sandbox = await tempSandbox()
  const cast = (answeredBy: string, arrivedAt: number) =>
    storeAnswer(host, vote, {
      answeredBy,
      sandbox,
      policy: [{ votes: 2 }],
      signingKeys: null,
      arrivedAt,
      ...at(5000),
    })
  expect(await cast('ada', ASKED_AT + 2000)).toMatchObject({ status: 'pending', missingVotes: 1 })
  expect(await cast('bo', ASKED_AT + 1000)).toMatchObject({ status: 'completed' })
  expect((await host.read('a')).answerFile?.votes).toMatchObject([
    { answeredBy: 'ada' },
    { answeredBy: 'bo' },
  ])
})
