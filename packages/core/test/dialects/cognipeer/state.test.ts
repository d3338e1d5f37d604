import { describe, expect, it } from 'vitest'
import {
  addUserQuestion,
  type CognipeerState,
  formatEvent,
  type PendingUserQuestion,
  parseAnswer,
  parseRequest,
  resolveUserQuestion,
} from '../../../src/dialects/cognipeer/index.ts'

const input = { questions: [{ question: 'Q?', options: [{ label: 'A' }, { label: 'B' }] }] }
const call = { id: 'uq_1', toolCallId: 'call_1', input, requestedAt: '2026-01-01T00:00:00.000Z' }
const answers = { 'Q?': { values: ['A'] } }
const waiting = (ctx: Record<string, unknown>, more: Partial<PendingUserQuestion> = {}): CognipeerState => {
  const state = addUserQuestion<CognipeerState>({ ctx }, call)
  return {
    ...state,
    pendingUserQuestions: state.pendingUserQuestions?.map((entry) => ({ ...entry, ...more })) ?? [],
  }
}
const resolved = { __userQuestionResolved: { id: 'uq_1', status: 'answered' } }

describe('a state without anything', () => {
  it('gets its first question', () => {
    expect(addUserQuestion({}, call)).toEqual({
      pendingUserQuestions: [expect.objectContaining({ id: 'uq_1', status: 'pending', allowFreeText: true })],
      ctx: { __awaitingUserQuestion: { id: 'uq_1', toolCallId: 'call_1', requestedAt: call.requestedAt } },
    })
  })

  it('has no question to resolve', () => {
    expect(() => resolveUserQuestion({}, { id: 'uq "1"', answers })).toThrow(
      expect.objectContaining({
        code: 'NOT_FOUND',
        facts: { id: 'uq "1"' },
        message: expect.stringContaining('no question "uq \\"1\\""'),
      }),
    )
  })

  it('gets its first message with the answer', () => {
    const { messages: _, ...state } = waiting({})
    const resolved: CognipeerState = resolveUserQuestion(state, { id: 'uq_1', answers })
    expect(resolved.messages).toHaveLength(1)
  })
})

describe('a question whose answers may not be typed', () => {
  it('refuses them when they come', () => {
    const state = addUserQuestion<CognipeerState>({}, call, { allowFreeText: false })
    expect(state.pendingUserQuestions?.[0]?.allowFreeText).toBe(false)
    const typed = { 'Q?': { values: [], freeText: 'C' } }
    expect(() => resolveUserQuestion(state, { id: 'uq_1', answers: typed })).toThrow(
      expect.objectContaining({ code: 'INVALID_ANSWERS' }),
    )
  })
})

describe('the stage at which the runtime goes on', () => {
  it('is over where it was for the tools: the message is their result', () => {
    const { ctx, messages } = resolveUserQuestion(waiting({ __resumeStage: 'tools', more: 1 }), {
      id: 'uq_1',
      answers,
    })
    expect(ctx).toEqual({ more: 1, ...resolved })
    expect(messages).toHaveLength(1)
  })

  it('stays where it is another one', () => {
    const { ctx } = resolveUserQuestion(waiting({ __resumeStage: 'model' }), { id: 'uq_1', answers })
    expect(ctx).toEqual({ __resumeStage: 'model', ...resolved })
  })

  it('stays for a subagent, which gets the answer later and no message', () => {
    const state = waiting({ __resumeStage: 'tools' }, { metadata: { __subagent: { name: 'reviewer' } } })
    const after = resolveUserQuestion(state, { id: 'uq_1', answers })
    expect(after.ctx).toEqual({ __resumeStage: 'tools', ...resolved })
    expect(after.messages).toBeUndefined()
    expect(after.pendingUserQuestions?.[0]).toMatchObject({ status: 'answered', answers })
  })
})

describe('a decided entry', () => {
  const decided = (given: object, options = {}) =>
    resolveUserQuestion(waiting({}), { id: 'uq_1', ...given }, options).pendingUserQuestions?.[0]

  it('has what was said, and nothing else', () => {
    const [pending] = waiting({}).pendingUserQuestions ?? []
    expect(decided({ answers })).toEqual({ ...pending, status: 'answered', answers })
    expect(decided({ cancelled: true, notes: 'later' })).toEqual({
      ...pending,
      status: 'cancelled',
      answers: {},
      cancelled: true,
      notes: 'later',
    })
    expect(decided({ answers, answeredBy: 'ada' }, { answeredAt: 'now' })).toMatchObject({
      answeredAt: 'now',
      answeredBy: 'ada',
    })
  })

  it('cannot be decided again', () => {
    const state = resolveUserQuestion(waiting({}), { id: 'uq_1', answers })
    expect(() => resolveUserQuestion(state, { id: 'call_1', answers })).toThrow(
      expect.objectContaining({
        code: 'CONFLICT',
        facts: { id: 'call_1', status: 'answered' },
        message: 'This question is answered already',
      }),
    )
  })

  it('that the runtime has taken is told as answered', () => {
    const [entry] = waiting({}, { status: 'executed', answers }).pendingUserQuestions ?? []
    expect(entry && formatEvent(entry)).toEqual({
      type: 'user_question',
      status: 'answered',
      id: 'uq_1',
      toolCallId: 'call_1',
      answers,
    })
  })
})

describe('an entry that is found by its id', () => {
  it('comes before one whose tool call has this id', () => {
    const first = addUserQuestion<CognipeerState>({}, { ...call, id: 'other', toolCallId: 'uq_1' })
    const state = addUserQuestion(first, call)
    const statuses = resolveUserQuestion(state, { id: 'uq_1', answers }).pendingUserQuestions?.map(
      ({ status }) => status,
    )
    expect(statuses).toEqual(['pending', 'answered'])
  })
})

describe('an answer as Cognipeer reads it', () => {
  const asked = parseRequest(input)
  const read = (given: unknown) => parseAnswer(asked, given)
  const picked = (selected: string[], more = {}) => ({
    status: 'completed',
    responses: { q1: { selected, ...more, source: 'human' } },
  })

  it.each([null, [], 'text', 5])('is refused as %j', (given) => {
    expect(() => read(given)).toThrow(
      expect.objectContaining({ code: 'INVALID_ANSWERS', faults: [{ path: '', expected: 'an object' }] }),
    )
  })

  it.each([
    [{}],
    [{ answers: [] }],
    [{ answers: { 'Q?': null } }],
    [{ answers: { 'Q?': 'A' } }],
    [{ answers: { 'Q?': { values: 'A' } } }],
    [{ answers: { 'Q?': { values: [5], freeText: 5 } } }],
    [{ cancelled: 'yes' }],
  ])('has nothing of another type: %j', (given) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'INVALID_ANSWERS' }))
  })

  it('keeps the values that are texts', () => {
    expect(read({ answers: { 'Q?': { values: [5, 'A'], notes: 5, freeText: null } } })).toEqual(picked(['A']))
    expect(read({ answers: { 'Q?': { values: [], freeText: ' own ' } } })).toEqual(
      picked([], { freeText: 'own' }),
    )
  })

  it('is a refusal without a reason where none was given', () => {
    expect(read({ cancelled: true })).toEqual({ status: 'declined' })
    expect(read({ cancelled: true, notes: ' ' })).toEqual({ status: 'declined' })
  })
})
