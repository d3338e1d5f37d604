import {
  addUserQuestion,
  type CognipeerState,
  type UserQuestionEvent,
} from '@sandagent/core/dialects/cognipeer'
import { describe, expect, it, vi } from 'vitest'
import { askPending } from '../../../src/cognipeer.ts'
import { createWorkspace, picked, typed } from '../../workspace.ts'

const requestedAt = '2026-01-01T00:00:00.000Z'
const options = [{ label: 'A' }, { label: 'B' }]
const add = (state: CognipeerState, id: string, question: string): CognipeerState =>
  addUserQuestion(state, {
    id: `uq_${id}`,
    toolCallId: `call_${id}`,
    input: { questions: [{ question, options }] },
    requestedAt,
  })
const statuses = ({ pendingUserQuestions = [] }: CognipeerState) =>
  pendingUserQuestions.map(({ status }) => status)

describe('askPending', () => {
  it('asks all that is pending at once, and gives the agent the answers in the order asked', async () => {
    const space = await createWorkspace()
    const events: UserQuestionEvent[] = []
    const state = add(add({}, '1', 'First?'), '2', 'Second?')
    const resolved = askPending(state, {
      channel: space.channel,
      runId: 'r',
      onEvent: (event) => events.push(event),
    })
    await vi.waitFor(() => expect(events).toHaveLength(2))
    await space.respond('call_2', { q1: typed('C') })
    await space.respond('call_1', { q1: picked('B') })
    const { messages, ...after } = await resolved
    expect(messages).toMatchObject([
      { tool_call_id: 'call_1', content: expect.stringContaining('"values":["B"]') },
      { tool_call_id: 'call_2', content: expect.stringContaining('"freeText":"C"') },
    ])
    expect(statuses(after)).toEqual(['answered', 'answered'])
    const told = events.map(({ id, status }) => `${id} ${status}`)
    expect(told.slice(0, 2).sort()).toEqual(['uq_1 pending', 'uq_2 pending'])
    expect(told.slice(2)).toEqual(['uq_1 answered', 'uq_2 answered'])
    expect(await askPending(await resolved, { channel: space.channel, runId: 'r' })).toEqual(await resolved)
  })

  it('leaves what nobody answered for another process to ask, and takes the rest', async () => {
    const space = await createWorkspace()
    const leave = new AbortController()
    const state = add(add({}, '1', 'First?'), '2', 'Second?')
    const asking = askPending(state, { channel: space.channel, runId: 'r', detachSignal: leave.signal })
    await vi.waitFor(() => space.record('call_2'))
    await vi.waitFor(() => space.record('call_1'))
    await space.respond('call_1', { q1: picked('A') })
    await vi.waitFor(async () => expect(await space.record('call_1')).toMatchObject({ state: 'answered' }))
    leave.abort()
    const left = JSON.parse(JSON.stringify(await asking))
    expect(statuses(left)).toEqual(['answered', 'pending'])
    expect(await space.record('call_2')).toMatchObject({ state: 'open' })
    const resumed = askPending<CognipeerState>(left, { channel: space.channel, runId: 'r' })
    await space.respond('call_2', { q1: picked('B') })
    expect(statuses(await resumed)).toEqual(['answered', 'answered'])
  })

  it('cancels what the user declined, or did not answer in time, in words for the model', async () => {
    const space = await createWorkspace()
    const declined = askPending(add({}, '1', 'First?'), { channel: space.channel, runId: 'r' })
    await vi.waitFor(() => space.record('call_1'))
    await space.respond('call_1', {}, { status: 'declined', reason: 'later' })
    expect((await declined).messages).toMatchObject([
      {
        content: expect.stringMatching(
          /^{"status":"cancelled","message":"The user declined to answer, saying/,
        ),
      },
    ])
    const late = await askPending(add({}, '2', 'Second?'), {
      channel: space.channel,
      runId: 'r',
      timeoutMs: 0,
    })
    expect(statuses(late)).toEqual(['cancelled'])
    expect(late.messages).toMatchObject([
      { content: expect.stringContaining('This is not a decision of the user') },
    ])
  })

  it('cancels what cannot be shown, and says why', async () => {
    const space = await createWorkspace()
    const state = add({}, '1', 'First?')
    const [entry] = state.pendingUserQuestions ?? []
    const wrong = { ...state, pendingUserQuestions: [{ ...entry, questions: [] }] } as CognipeerState
    const events: UserQuestionEvent[] = []
    const cancelled = await askPending(wrong, {
      channel: space.channel,
      runId: 'r',
      onEvent: (event) => events.push(event),
    })
    expect(statuses(cancelled)).toEqual(['cancelled'])
    expect(JSON.stringify(cancelled.messages)).toContain('questions')
    expect(events.map(({ status }) => status)).toEqual(['cancelled'])
    expect(await space.host.questions()).toEqual([])
  })

  it('gives a state without questions back', async () => {
    const { channel } = await createWorkspace()
    const state: CognipeerState = { messages: [] }
    expect(await askPending(state, { channel, runId: 'r' })).toBe(state)
  })

  it.each([
    [undefined, undefined],
    [{ other: 1 }, undefined],
    [
      { __subagent: { name: 'reviewer', parentToolCallId: 'p' } },
      { agent: 'reviewer', parentToolCallId: 'p' },
    ],
    [{ __subagent: { name: ' ', parentToolCallId: 'p' } }, { parentToolCallId: 'p' }],
    [{ __subagent: { name: 'reviewer', parentToolCallId: 5 } }, { agent: 'reviewer' }],
  ])('names the subagent of the metadata: %j', async (metadata, asker) => {
    const space = await createWorkspace()
    const state = add({}, '1', 'First?')
    const [entry] = state.pendingUserQuestions ?? []
    const named = { ...state, pendingUserQuestions: [{ ...entry, metadata }] } as CognipeerState
    await askPending(named, { channel: space.channel, runId: 'r', timeoutMs: 0 })
    expect((await space.record('call_1')).asker).toEqual(asker)
  })
})
