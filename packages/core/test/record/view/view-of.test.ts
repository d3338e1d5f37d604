import { describe, expect, it } from 'vitest'
import {
  type AnswerFile,
  isQuestionView,
  type OpenRecord,
  type QuestionState,
  viewOf,
  withReceipt,
} from '../../../src/internal.ts'
import { openRecord } from '../../records.ts'

const record = openRecord({
  timeoutMs: 60_000,
  deadline: '2025-01-30T12:01:00.000Z',
  nonce: 'secret-nonce',
})
const now = Date.parse('2025-01-30T12:00:20.000Z')
const draft: AnswerFile = {
  questions: record.questions,
  answers: { 'A?': 'so far' },
  status: 'pending',
  timestamp: '2025-01-30T12:00:10.000Z',
  toolCallId: 'toolu_1',
  revision: 2,
  nonce: 'secret-nonce',
}

describe('a receipt', () => {
  const responses = { q1: { selected: [], freeText: 'so far', source: 'human' as const } }
  const settledAt = new Date(now).toISOString()
  const disputed = (state: 'answered' | 'partial', revision: number, answerFile?: AnswerFile): boolean =>
    viewOf(
      {
        toolCallId: 'toolu_1',
        record: withReceipt(record, { state, settledAt, responses, revision }),
        ...(answerFile && { answerFile }),
      },
      now,
    ).disputed === true

  it('of a draft is not disputed when a final answer was stored too late', () => {
    for (const revision of [1, 2, 3])
      expect(disputed('partial', 2, { ...draft, status: 'completed', revision, responses: {} })).toBe(false)
    expect(disputed('answered', 2, { ...draft, status: 'completed', revision: 3, responses: {} })).toBe(true)
  })

  it('that no stored answer accounts for is disputed', () => {
    expect(disputed('answered', 2)).toBe(true)
    expect(disputed('answered', 2, draft)).toBe(true)
    expect(disputed('answered', 2, { ...draft, status: 'completed', answers: { 'A?': 'other' } })).toBe(true)
    expect(disputed('answered', 2, { ...draft, status: 'completed' })).toBe(false)
    expect(disputed('partial', 2, draft)).toBe(false)
  })

  it('of a draft is not disputed by a newer draft, which came too late', () => {
    const newer = { ...draft, answers: { 'A?': 'more' }, revision: 3 }
    expect(disputed('partial', 2, newer)).toBe(false)
    expect(disputed('partial', 3, newer)).toBe(true)
  })
})

describe('viewOf', () => {
  it('shows a question that nobody touched', () => {
    expect(viewOf({ toolCallId: 'toolu_1', record }, now)).toMatchObject({
      state: 'open',
      responses: {},
      revision: 0,
      remainingMs: 40_000,
    })
  })

  it('shows what an answer file permits', () => {
    const subject = { toolName: 'Bash', input: { command: 'ls' } }
    const answerFile: OpenRecord = { ...record, toolName: 'Bash', kind: 'approval', subject }
    expect(viewOf({ toolCallId: 'toolu_1', record: answerFile }, now)).toMatchObject({
      kind: 'approval',
      subject,
    })
    expect(viewOf({ toolCallId: 'toolu_1', record }, now)).not.toHaveProperty('subject')
  })

  it('shows no more than one wait as the time left, though the runner has a clock that is hours ahead', () => {
    const hoursBefore = now - 10 * 60 * 60_000
    expect(viewOf({ toolCallId: 'toolu_1', record }, hoursBefore)).toMatchObject({ remainingMs: 60_000 })
  })

  it('shows a draft, and the deadline that it moved', () => {
    expect(viewOf({ toolCallId: 'toolu_1', record, answerFile: draft }, now)).toMatchObject({
      state: 'open',
      revision: 2,
      responses: { q1: { selected: [], freeText: 'so far', source: 'human' } },
      remainingMs: 50_000,
    })
  })

  it('shows a stored answer as sent until the runner says what it did with it', () => {
    const answerFile: AnswerFile = { ...draft, status: 'completed', answeredBy: 'ada' }
    expect(viewOf({ toolCallId: 'toolu_1', record, answerFile }, now)).toMatchObject({
      state: 'sent',
      answeredBy: 'ada',
      answeredAt: '2025-01-30T12:00:10.000Z',
    })
    const responses = { q1: { selected: [], freeText: 'confirmed', source: 'human' } } as const
    const settled = withReceipt(record, {
      state: 'answered',
      settledAt: record.askedAt,
      responses: { q1: { ...responses.q1, selected: [] } },
    })
    expect(viewOf({ toolCallId: 'toolu_1', record: settled, answerFile }, now)).toMatchObject({
      state: 'answered',
      responses,
    })
  })

  it('shows an answer file without a record, as third-party runners leave it', () => {
    expect(viewOf({ toolCallId: 'toolu_1', answerFile: draft }, now)).toMatchObject({
      state: 'open',
      questions: [{ id: 'q1', question: 'A?' }],
    })
  })

  it('tells that the run which asks has ended as long as the question is open', () => {
    const settled = withReceipt(record, { state: 'aborted', settledAt: record.askedAt, responses: {} })
    const view = (state: Partial<QuestionState>) => viewOf({ toolCallId: 'toolu_1', record, ...state }, now)
    expect(view({ runEnded: true }).runEnded).toBe(true)
    expect(view({ runEnded: true, answerFile: { ...draft, status: 'completed' } }).runEnded).toBe(true)
    expect(view({})).not.toHaveProperty('runEnded')
    expect(view({ runEnded: true, record: settled })).not.toHaveProperty('runEnded')
  })

  it('tells that the agent goes on without a question, and never without an approval', () => {
    const blockingOf = (kind: OpenRecord['kind']) =>
      viewOf({ toolCallId: 'toolu_1', record: { ...record, kind, blocking: false } }, now).blocking
    expect(blockingOf('question')).toBe(false)
    expect(blockingOf('approval')).toBeUndefined()
  })

  it('keeps nonces to itself', () => {
    expect(JSON.stringify(viewOf({ toolCallId: 'toolu_1', record, answerFile: draft }, now))).not.toContain(
      'secret',
    )
  })

  it('is recognised by its shape', () => {
    expect(isQuestionView(viewOf({ toolCallId: 'toolu_1', record }, now))).toBe(true)
    expect([null, [], {}, { state: 'open' }].map(isQuestionView)).toEqual([false, false, false, false])
  })
})

describe('a view for one person', () => {
  const ofBen = {
    ...draft,
    answeredBy: 'Ben',
    responses: { q1: { selected: [], freeText: 'his', source: 'human' as const } },
    otherDrafts: [
      {
        answeredBy: 'Ada',
        revision: 1,
        timestamp: '2025-01-30T12:00:05.000Z',
        responses: { q1: { selected: [], freeText: 'hers', source: 'human' as const } },
      },
    ],
  }
  const seenBy = (viewer?: { answeredBy?: string; browser?: string }, answerFile: AnswerFile = ofBen) =>
    viewOf({ toolCallId: 'toolu_1', record, answerFile }, now, viewer)

  it('has this person’s own draft and its revision, and the others beside it', () => {
    expect(seenBy({ answeredBy: 'Ada' })).toMatchObject({
      revision: 1,
      responses: { q1: { freeText: 'hers' } },
      otherDrafts: [{ name: 'Ben', revision: 2, responses: { q1: { freeText: 'his' } } }],
    })
    expect(seenBy({ browser: 'new' })).toMatchObject({
      revision: 0,
      responses: {},
      otherDrafts: [{ name: 'Ben' }, { name: 'Ada' }],
    })
  })

  it('shows the drafts of others to a person who may answer, and not to one who may not', () => {
    const seen = (mayAnswer: boolean) =>
      viewOf({ toolCallId: 'toolu_1', record, answerFile: ofBen }, now, { answeredBy: 'Ada', mayAnswer })
    expect(seen(true).otherDrafts).toMatchObject([{ name: 'Ben' }])
    expect(seen(false)).toMatchObject({ responses: { q1: { freeText: 'hers' } }, otherDrafts: [] })
  })

  it('names nobody as the author of a draft, unlike a view for no person', () => {
    expect(seenBy({ answeredBy: 'Ben' }).answeredBy).toBeUndefined()
    expect(seenBy()).toMatchObject({ answeredBy: 'Ben', revision: 2 })
    expect(seenBy()).not.toHaveProperty('otherDrafts')
  })

  it('says of a final answer whether it is somebody else’s, if anything is known of its author', () => {
    const final: AnswerFile = { ...draft, status: 'completed' }
    expect(seenBy({ browser: 'one' }, { ...final, browser: 'two' }).byOther).toBe(true)
    expect(seenBy({ browser: 'one' }, { ...final, browser: 'one' }).byOther).toBe(false)
    expect(seenBy({ browser: 'one' }, final)).not.toHaveProperty('byOther')
    expect(seenBy({ answeredBy: 'Ada' }, { ...final, browser: 'one' }).byOther).toBe(true)
  })
})
