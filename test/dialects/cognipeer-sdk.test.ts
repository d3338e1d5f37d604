import { createAgent, resolveUserQuestionState } from '@cognipeer/agent-sdk'
import {
  addUserQuestion,
  type CognipeerResolution,
  type CognipeerState,
  formatAnswer,
  formatEvent,
  parseRequest,
  resolveUserQuestion,
  type UserQuestionEvent,
} from '@sandagent/core/dialects/cognipeer'
import { askUser } from '@sandagent/runner'
import { askPending } from '@sandagent/runner/cognipeer'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createWorkspace } from '../support/workspace.ts'

const INPUT = {
  questions: [
    { question: 'Which?', header: 'Way', options: [{ label: 'Left', value: 'l' }, { label: 'Right' }] },
    { question: 'Name?', required: false },
  ],
}

/** An agent of Cognipeer's own SDK, paused by its model; `told` is what the model reads when the agent goes on. */
async function pausedAgent() {
  const events: UserQuestionEvent[] = []
  const told: unknown[] = []
  const model = {
    bindTools: () => model,
    async invoke(messages: { role: string }[]) {
      told.push(messages.at(-1))
      if (messages.some(({ role }) => role === 'tool')) return { role: 'assistant', content: 'Done' }
      const call = { name: 'ask_user_question', arguments: JSON.stringify(INPUT) }
      return {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', type: 'function', function: call }],
      }
    },
  }
  const agent = createAgent({
    model: model as never,
    humanInTheLoop: { askUser: { onQuestion: (event) => events.push(event as UserQuestionEvent) } },
  })
  const { state } = await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] })
  return { agent, state: state as CognipeerState, events, told }
}

const answerLeft = async (sandbox: Awaited<ReturnType<typeof createWorkspace>>['sandbox']) => {
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  await submitAnswer(sandbox, { toolCallId: 'call_1', answers: { 'Which?': 'Left' } })
}

const TOLD = {
  role: 'tool',
  tool_call_id: 'call_1',
  content: JSON.stringify({
    status: 'answered',
    answers: [
      { question: 'Which?', header: 'Way', values: ['l'] },
      { question: 'Name?', values: [] },
    ],
  }),
}

describe('an agent of Cognipeer’s own SDK', () => {
  it('pauses in the state, and with the event, that addUserQuestion and formatEvent write', async () => {
    const { state, events } = await pausedAgent()
    const [entry] = state.pendingUserQuestions ?? []
    if (!entry) throw new Error('Nothing is pending')
    const { id, requestedAt } = entry
    const ours = addUserQuestion<CognipeerState>({}, { id, toolCallId: 'call_1', input: INPUT, requestedAt })
    expect(state.pendingUserQuestions).toEqual(ours.pendingUserQuestions)
    expect(state.ctx).toMatchObject(ours.ctx ?? {})
    expect(events).toEqual([formatEvent(entry)])
  })

  it('goes on with what askPending resolved', async () => {
    const { sandbox, channel } = await createWorkspace()
    const { agent, state, told } = await pausedAgent()
    const resolved = askPending(state, { channel, runId: 'r' })
    await answerLeft(sandbox)
    expect((await agent.invoke((await resolved) as never)).content).toBe('Done')
    expect(told.at(-1)).toMatchObject(TOLD)
    expect(told).toHaveLength(2)
  })

  it('takes what formatAnswer writes for its own resolver', async () => {
    const { sandbox, channel } = await createWorkspace()
    const { agent, state, told } = await pausedAgent()
    const outcome = askUser(channel, { toolCallId: 'call_1', runId: 'r', questions: parseRequest(INPUT) })
    await answerLeft(sandbox)
    const resolved = agent.resolveUserQuestion(state as never, {
      id: 'call_1',
      ...formatAnswer(await outcome),
    })
    await agent.invoke(resolved)
    expect(told.at(-1)).toMatchObject(TOLD)
  })
})

describe('resolveUserQuestion', () => {
  const words = fc.constantFrom('', ' ', 'l', 'Right', 'Up', ' Up ')
  const answer = fc.record(
    { values: fc.array(words, { maxLength: 3 }), freeText: words, notes: words },
    { requiredKeys: ['values'] },
  )
  const question = fc.record(
    {
      header: fc.constantFrom('A', 'B', 'C'),
      options: fc.constant([{ label: 'Left', value: 'l' }, { label: 'Right' }]),
      multiSelect: fc.boolean(),
      required: fc.boolean(),
    },
    { requiredKeys: ['options'] },
  )
  const resolution: fc.Arbitrary<CognipeerResolution & { id: string }> = fc.record(
    {
      id: fc.constantFrom('uq_1', 'call_1', 'uq_2'),
      // By text, by header, and for no question.
      answers: fc.dictionary(fc.constantFrom('1?', '2?', 'A', 'B', 'Z'), answer),
      answeredBy: fc.constant('somebody'),
      notes: fc.constantFrom('', 'checked'),
      cancelled: fc.boolean(),
    },
    { requiredKeys: ['id'] },
  )
  /** How an agent is paused: at which stage, and whether an agent below it asks. */
  const states = fc.record({
    allowFreeText: fc.boolean(),
    stage: fc.constantFrom('tools', 'agent', undefined),
    metadata: fc.constantFrom({}, { __subagent: { name: 'below' } }),
  })
  const calls = fc.uniqueArray(question, { minLength: 1, maxLength: 2, selector: ({ header }) => header })

  /** What comes of it: the state as JSON, without the time of the answer and each one's own words, or that it was refused. */
  const resultOf = (resolve: () => unknown): unknown => {
    try {
      const text = JSON.stringify(resolve(), (key, value) => (key === 'answeredAt' ? undefined : value))
      return JSON.parse(text.replace(/(The user|User) dismissed [^"\\\\]*/, 'Dismissed'))
    } catch {
      return 'refused'
    }
  }

  it('takes, keeps, tells and refuses what Cognipeer’s own does, also a second time', () => {
    fc.assert(
      fc.property(calls, states, resolution, (asked, { allowFreeText, stage, metadata }, given) => {
        const questions = asked.map((each, index) => ({ question: `${index + 1}?`, ...each }))
        const call = {
          id: 'uq_1',
          toolCallId: 'call_1',
          input: { questions },
          requestedAt: '2026-01-01T00:00:00.000Z',
        }
        const paused = addUserQuestion<CognipeerState>({ messages: [] }, call, { allowFreeText })
        const state = {
          ...paused,
          pendingUserQuestions: paused.pendingUserQuestions?.map((entry) => ({ ...entry, metadata })) ?? [],
          ctx: { ...paused.ctx, __resumeStage: stage },
        }
        const ours = resultOf(() => resolveUserQuestion<CognipeerState>(state, given))
        const theirs = resultOf(() => resolveUserQuestionState(state as never, given))
        expect(ours).toEqual(theirs)
        if (ours === 'refused') return
        expect(resultOf(() => resolveUserQuestion(ours as CognipeerState, given))).toBe('refused')
      }),
      { numRuns: 1000 },
    )
  })
})
