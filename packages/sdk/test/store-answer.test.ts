import type { HostChannel } from '@sandagent/core'
import { createFileHostChannel } from '@sandagent/files'
import { describe, expect, it } from 'vitest'
import type { LocalSandbox } from '../src/index.ts'
import { storeAnswer } from '../src/store-answer.ts'
import {
  approvalFile,
  ask,
  LANGUAGE,
  picked,
  refusalOf,
  settle,
  tempSandbox,
} from './support/temp-sandbox.ts'

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
      const before = await approvalFile(sandbox, 'toolu_1')
      await settle(sandbox, 'toolu_1', { state })
      for (const late of [answer, draft, { ...answer, status: 'cancelled' as const }])
        expect(await refusalOf(storeAnswer(channelOf(sandbox), late, at(2000)))).toMatchObject({
          code: 'GONE',
          facts: { question: { state } },
        })
      expect(await approvalFile(sandbox, 'toolu_1')).toEqual(before)
    },
  )

  it('is gone once the deadline has passed, even if no runner is there to say so', async () => {
    const sandbox = await askedForAMinute()
    expect(await refusalOf(storeAnswer(channelOf(sandbox), answer, at(60_000)))).toMatchObject({
      code: 'GONE',
      facts: { question: { state: 'open', remainingMs: 0 } },
    })
    expect(await storeAnswer(channelOf(sandbox), answer, at(59_999))).toMatchObject({ status: 'completed' })
  })

  it('is in time when a draft moved the deadline', async () => {
    const sandbox = await askedForAMinute()
    await storeAnswer(channelOf(sandbox), draft, at(50_000))
    expect(await storeAnswer(channelOf(sandbox), answer, at(100_000))).toMatchObject({ revision: 2 })
  })

  it('succeeds again after the deadline, once it was stored in time', async () => {
    const sandbox = await askedForAMinute()
    const stored = await storeAnswer(channelOf(sandbox), answer, at(59_000))
    expect(await storeAnswer(channelOf(sandbox), answer, at(90_000))).toEqual(stored)
  })

  it.each([
    ['timed out', { state: 'timed-out' }],
    ['partial, of the draft before it', { state: 'partial', revision: 1 }],
  ] as const)(
    'is gone when the question is settled as %s while it is being written',
    async (_, settlement) => {
      const sandbox = await askedForAMinute()
      await storeAnswer(channelOf(sandbox), draft, at(1000))
      const channel: HostChannel = {
        ...channelOf(sandbox),
        async write(...args) {
          await settle(sandbox, 'toolu_1', settlement)
          await channelOf(sandbox).write(...args)
        },
      }
      expect(await refusalOf(storeAnswer(channel, answer, at(59_999)))).toMatchObject({
        code: 'GONE',
        facts: { question: { state: settlement.state } },
      })
      expect(await refusalOf(storeAnswer(channelOf(sandbox), answer, at(60_001)))).toMatchObject({
        code: 'GONE',
      })
    },
  )

  it('is gone when an older writer, who counts no revisions, had stored it after the time-out', async () => {
    const sandbox = await askedForAMinute()
    await settle(sandbox, 'toolu_1', { state: 'timed-out' })
    const older = { questions: [LANGUAGE], answers: answer.answers, status: 'completed', timestamp: LATER }
    await sandbox.files.writeAtomic('.sandagent/approvals/toolu_1.json', JSON.stringify(older))
    expect(await refusalOf(storeAnswer(channelOf(sandbox), answer, at(60_001)))).toMatchObject({
      code: 'GONE',
    })
  })

  it('is in time when the runner takes it at the last moment', async () => {
    const sandbox = await askedForAMinute()
    const channel: HostChannel = {
      ...channelOf(sandbox),
      async write(...args) {
        await channelOf(sandbox).write(...args)
        await settle(sandbox, 'toolu_1', { state: 'timed-out' })
        await settle(sandbox, 'toolu_1', { responses: { q1: picked('Python') }, revision: 1 })
      },
    }
    expect(await storeAnswer(channel, answer, at(59_999))).toEqual({ status: 'completed', revision: 1 })
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
        await channelOf(sandbox).write(...args)
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
        await storeAnswer(channelOf(sandbox), draft, at(1000))
        await channelOf(sandbox).write(...args)
      },
    }
    expect(await refusalOf(storeAnswer(channel, answer, at(1000)))).toMatchObject({ code: 'CONFLICT' })
    expect(await approvalFile(sandbox, 'toolu_1')).toMatchObject({ status: 'pending' })
  })
})
