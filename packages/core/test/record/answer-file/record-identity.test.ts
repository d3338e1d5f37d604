import { describe, expect, it } from 'vitest'
import { withReceipt } from '../../../src/internal.ts'
import type { ChannelWarning } from '../../../src/lib/warnings/warning-codes.ts'
import type { AnswerFile } from '../../../src/record/answer-file/answer-file.ts'
import { answerConflict } from '../../../src/record/answer-file/answer-file.ts'
import { identityOf, isSameRecord } from '../../../src/record/answer-file/record-identity.ts'
import { judgeState } from '../../../src/record/judge-state.ts'
import type { QuestionState } from '../../../src/record/question-state.ts'
import { isStreamReport } from '../../../src/record/view/question-view.ts'
import { openRecord } from '../../records.ts'

const record = openRecord()

describe('the expected record', () => {
  it('is the same question, asked in the same run', () => {
    const expected = identityOf(record)
    expect(isSameRecord({ ...record, askedAt: 'later' }, expected)).toBe(true)
    expect(isSameRecord({ ...record, nonce: 'other' }, expected)).toBe(false)
    expect(isSameRecord({ ...record, runId: 'other' }, expected)).toBe(false)
    expect(isSameRecord({ ...record, toolName: 'Bash' }, expected)).toBe(false)
    expect(isSameRecord({ ...record, questions: [{ id: 'q1', question: 'Else?' }] }, expected)).toBe(false)
  })

  it('is compared by what is given', () => {
    const { questionDigest } = identityOf(record)
    const { askedAt } = record
    expect(isSameRecord(record, {})).toBe(true)
    expect(isSameRecord(record, { questionDigest, askedAt })).toBe(true)
    expect(isSameRecord(record, { questionDigest, askedAt: 'later' })).toBe(false)
    expect(isSameRecord(record, { questionDigest: 'another', askedAt })).toBe(false)
  })

  it('may be none', () => {
    expect(isSameRecord(null, null)).toBe(true)
    expect(isSameRecord(undefined, null)).toBe(true)
    expect(isSameRecord(undefined, identityOf(record))).toBe(false)
    expect(isSameRecord(record, null)).toBe(false)
    expect(isSameRecord(null, identityOf(record))).toBe(false)
  })
})

it('a conflict tells who answered first, when and how', () => {
  const first = { status: 'declined', timestamp: 'now', answeredBy: 'ada', nonce: 'secret' } as AnswerFile
  expect(answerConflict(first)).toMatchObject({ code: 'CONFLICT' })
  expect(answerConflict(first).facts).toEqual({ status: 'declined', timestamp: 'now', answeredBy: 'ada' })
  const { answeredBy: _, ...nobodys } = first
  expect(answerConflict(nobodys).facts).toEqual({ status: 'declined', timestamp: 'now' })
  expect([answerConflict(null).facts, answerConflict(undefined).facts]).toEqual([{}, {}])
})

describe('judgeState', () => {
  const judged = async (state: QuestionState, ended: boolean) => {
    const warnings: ChannelWarning[] = []
    const result = await judgeState(state, {
      hasRunEnded: async () => ended,
      onWarning: (warning) => warnings.push(warning),
    })
    return { ended: result.runEnded, isSame: result === state, warnings }
  }

  it('says of an open question whether its run has ended', async () => {
    const state = { toolCallId: 'toolu_1', record }
    expect(await judged(state, true)).toEqual({ ended: true, isSame: false, warnings: [] })
    expect(await judged(state, false)).toEqual({ ended: undefined, isSame: true, warnings: [] })
  })

  it('says nothing of a question without a record, or with a receipt', async () => {
    expect(await judged({ toolCallId: 'toolu_1' }, true)).toEqual({ isSame: true, warnings: [] })
    const settled = withReceipt(record, { state: 'timed-out', settledAt: record.askedAt, responses: {} })
    expect(await judged({ toolCallId: 'toolu_1', record: settled }, true)).toEqual({
      isSame: true,
      warnings: [],
    })
  })

  it('warns of a receipt for an answer that the host did not store', async () => {
    const responses = { q1: { selected: [], freeText: 'x', source: 'human' as const } }
    const settled = withReceipt(record, { state: 'answered', settledAt: record.askedAt, responses })
    const { warnings, isSame } = await judged({ toolCallId: 'toolu_1', record: settled }, true)
    expect(isSame).toBe(true)
    expect(warnings).toEqual([
      { code: 'DISPUTED_RECEIPT', toolCallId: 'toolu_1', message: expect.stringMatching(/not store/) },
    ])
  })
})

it('a stream reports a question, or who has it open', () => {
  expect(isStreamReport({ state: 'open', questions: [], responses: {} })).toBe(true)
  expect(isStreamReport({ toolCallId: 'call_1', people: [] })).toBe(true)
  expect([null, {}, { state: 'open', questions: [] }, { toolCallId: 'call_1' }].map(isStreamReport)).toEqual(
    Array(4).fill(false),
  )
  expect(isStreamReport({ state: 'open', questions: {}, responses: {} })).toBe(false)
  expect(isStreamReport({ state: 'open', questions: [], responses: [] })).toBe(false)
  expect(isStreamReport({ state: 5, questions: [], responses: {} })).toBe(false)
})
