// Cognipeer's document, sentence by sentence, with its own SDK in the part of the agent.
import { createAgent, resolveUserQuestionState } from '@cognipeer/agent-sdk'
import {
  addUserQuestion,
  type CognipeerResolution,
  type CognipeerState,
  cognipeerTool,
  formatEvent,
  parseRequest,
  resolveUserQuestion,
  type UserQuestionEvent,
} from '@sandagent/core/dialects/cognipeer'
import { createFileHostChannel } from '@sandagent/files'
import { askPending } from '@sandagent/runner/cognipeer'
import { declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createWorkspace } from '../support/workspace.ts'

/** Two questions, as in the document. */
const INPUT = {
  questions: [
    {
      question: 'Which framework?',
      header: 'Framework',
      options: [{ label: 'React' }, { label: 'Svelte', value: 'svelte', description: 'Smallest bundle' }],
    },
    { question: 'Which package manager?', header: 'PM', options: [{ label: 'pnpm' }, { label: 'npm' }] },
  ],
}

interface Turn {
  role: string
  tool_call_id?: string
  content: string
}

/** An agent of Cognipeer's own SDK whose model makes one call, then says "Done"; `told` is what the model read. */
function agentThatCalls(name: string, args: unknown, more: object = {}) {
  const told: Turn[] = []
  const model = {
    bindTools: () => model,
    async invoke(messages: Turn[]) {
      told.push(messages.at(-1) as Turn)
      if (messages.some(({ role }) => role === 'tool')) return { role: 'assistant', content: 'Done' }
      const call = {
        id: `call_${name}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }
      return { role: 'assistant', content: '', tool_calls: [call] }
    },
  }
  return { agent: createAgent({ model: model as never, ...more }), told }
}

async function pause(input: unknown = INPUT, askUser: object | boolean = true) {
  const events: UserQuestionEvent[] = []
  const { agent, told } = agentThatCalls('ask_user_question', input, { humanInTheLoop: { askUser } })
  const { state } = await agent.invoke(
    { messages: [{ role: 'user', content: 'Go' }] },
    { onEvent: (event) => event.type === 'user_question' && events.push(event as UserQuestionEvent) },
  )
  const paused = state as CognipeerState
  return { agent, told, events, paused, resume: (state: CognipeerState) => agent.invoke(state as never) }
}

const [REACT, PNPM] = [
  { 'Which framework?': { values: ['React'] } },
  { 'Which package manager?': { values: ['pnpm'] } },
]
const toldIn = (told: readonly Turn[]): unknown => JSON.parse(told.at(-1)?.content ?? 'null')

describe('the tool of an agent', () => {
  it('takes one to four questions', () => {
    const asking = (count: number) => ({
      questions: Array.from({ length: count }, (_, index) => ({ question: `${index}?` })),
    })
    for (const count of [1, 4]) expect(parseRequest(asking(count))).toHaveLength(count)
    for (const count of [0, 5]) expect(() => parseRequest(asking(count))).toThrow('1 to 4 questions')
  })

  it('needs two options for each question where typed answers are off for the agent', () => {
    expect(() => parseRequest({ questions: [{ question: 'Why?' }] }, { allowFreeText: false })).toThrow(
      'options',
    )
    expect(JSON.stringify(cognipeerTool({ allowFreeText: false }))).toContain(
      '"required":["question","options"]',
    )
  })

  it('has the description that takes the place of its own', () => {
    expect(cognipeerTool({ promptOverride: 'Only when blocked.' }).description).toBe('Only when blocked.')
  })

  it('reads what a model sends to Cognipeer’s own', async () => {
    const { paused } = await pause()
    const [entry] = paused.pendingUserQuestions ?? []
    expect(parseRequest({ questions: entry?.questions })).toMatchObject([
      { question: 'Which framework?', options: [{ label: 'React' }, { value: 'svelte' }] },
      { question: 'Which package manager?', header: 'PM' },
    ])
  })
})

describe('an agent that pauses', () => {
  it('has all that a page needs in its state, which is JSON and can be asked by another process', async () => {
    const { sandbox, channel } = await createWorkspace()
    const { agent, paused, resume } = await pause()
    const snapshot = JSON.parse(JSON.stringify(agent.snapshot(paused as never).state)) as CognipeerState
    expect(snapshot.ctx?.__awaitingUserQuestion).toBeTruthy()
    const resolved = askPending(snapshot, { channel, runId: 'r' })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    const [view] = await listQuestions(sandbox)
    expect(view?.questions).toMatchObject(INPUT.questions)
    await submitAnswer(sandbox, {
      toolCallId: view?.toolCallId as string,
      answers: { 'Which framework?': 'Svelte', 'Which package manager?': 'yarn' },
    })
    expect((await resume(await resolved)).content).toBe('Done')
  })

  it('tells of the question with an event, and of its end with another one', async () => {
    const { paused, events } = await pause()
    expect(events).toEqual(paused.pendingUserQuestions?.map(formatEvent))
    const [entry] =
      resolveUserQuestion(paused, { id: paused.pendingUserQuestions?.[0]?.id ?? '', cancelled: true })
        .pendingUserQuestions ?? []
    expect(entry && formatEvent(entry)).toMatchObject({ type: 'user_question', status: 'cancelled' })
  })
})

describe('a resolved question', () => {
  it('is the result of the call for the model, with who answered in the state', async () => {
    const { paused, told, resume } = await pause()
    const id = paused.pendingUserQuestions?.[0]?.id as string
    const resolved = resolveUserQuestion(paused, {
      id,
      answeredBy: 'alex@team',
      answers: { ...REACT, ...PNPM },
    })
    expect(resolved.pendingUserQuestions?.[0]).toMatchObject({ status: 'answered', answeredBy: 'alex@team' })
    expect((await resume(resolved)).content).toBe('Done')
    expect(told.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_ask_user_question' })
    expect(toldIn(told)).toEqual({
      status: 'answered',
      answers: [
        { question: 'Which framework?', header: 'Framework', values: ['React'] },
        { question: 'Which package manager?', header: 'PM', values: ['pnpm'] },
      ],
    })
  })

  it('that the user dismissed tells the model so', async () => {
    const { paused, told, resume } = await pause()
    const id = paused.pendingUserQuestions?.[0]?.id as string
    await resume(resolveUserQuestion(paused, { id, cancelled: true, notes: 'User closed the modal' }))
    expect(toldIn(told)).toEqual({ status: 'cancelled', message: 'User closed the modal' })
  })

  it.each<[string, CognipeerResolution]>([
    ['lacks a required question', { answers: REACT }],
    [
      'has two values for a single choice',
      { answers: { ...PNPM, 'Which framework?': { values: ['React', 'svelte'] } } },
    ],
    ['has a value that is no option', { answers: { ...PNPM, 'Which framework?': { values: ['Qwik'] } } }],
    ['has typed words', { answers: { ...PNPM, 'Which framework?': { values: [], freeText: 'Qwik' } } }],
  ])('is refused where it %s and typed answers are off', async (_, resolution) => {
    const { paused } = await pause(INPUT, { allowFreeText: false })
    const given = { id: paused.pendingUserQuestions?.[0]?.id as string, ...resolution }
    expect(() => resolveUserQuestionState(paused as never, given)).toThrow()
    expect(() => resolveUserQuestion(paused, given)).toThrow(
      expect.objectContaining({ code: 'INVALID_ANSWERS' }),
    )
  })

  it('may hold a value that is no option where typed answers are on', async () => {
    const { paused, told, resume } = await pause()
    const answers = { ...PNPM, 'Which framework?': { values: ['Qwik'] } }
    await resume(resolveUserQuestion(paused, { id: 'call_ask_user_question', answers }))
    expect(toldIn(told)).toMatchObject({ answers: [{ values: ['Qwik'] }, { values: ['pnpm'] }] })
  })
})

describe('what Cognipeer’s resolver takes', () => {
  const word = fc.constantFrom('', ' ', 'A', 'B', 'Way', 'Which?', '__proto__')
  const label = fc.constantFrom('A', 'A', 'B', ' ')
  const option = fc.record({ label, value: label }, { requiredKeys: ['label'] })
  const question = fc.record(
    {
      question: fc.constantFrom('Which?', 'Which?', 'Why?', ' '),
      header: fc.constantFrom('Way', 'Why?', '', ' '),
      options: fc.array(option, { minLength: 2, maxLength: 4 }),
      multiSelect: fc.boolean(),
      required: fc.boolean(),
    },
    { requiredKeys: ['question'] },
  )
  const anything = fc.constantFrom<unknown>(null, undefined, 0, 'A', [], {}, true)
  const mostly = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: value }, anything)
  const answer = fc.record(
    { values: mostly(fc.array(mostly(word), { maxLength: 2 })), freeText: mostly(word), notes: mostly(word) },
    { requiredKeys: ['values'] },
  )
  const resolution = fc.record(
    {
      id: fc.constantFrom('uq_1', 'call_1'),
      answers: mostly(fc.dictionary(word, mostly(answer))),
      answeredBy: mostly(word),
      notes: fc.constantFrom('', 'A'),
      cancelled: fc.constantFrom<unknown>(true, false, undefined, 'yes', null),
    },
    { requiredKeys: ['id'] },
  )
  /** The tool message of the state after it, or `null` where it was refused. */
  const told = (resolve: () => CognipeerState): string | null => {
    try {
      const { messages = [], pendingUserQuestions = [] } = resolve()
      const { content } = messages.at(-1) as Turn
      return `${pendingUserQuestions[0]?.status} ${content}`
    } catch {
      return null
    }
  }
  const shown = (words: string | null) =>
    words?.replace(/"message":"(The user|User) dismissed [^"]*/, '"dismissed') ?? null

  it('is resolved here too, with equal options, blank questions and values of other types, 1,000 times', () => {
    fc.assert(
      fc.property(
        fc.array(question, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        resolution,
        (questions, allowFreeText, given) => {
          const entry = {
            id: 'uq_1',
            toolCallId: 'call_1',
            toolName: 'ask_user_question',
            status: 'pending' as const,
            requestedAt: '2026-01-01T00:00:00.000Z',
            allowFreeText,
            questions,
          }
          const state = { messages: [], pendingUserQuestions: [entry] } as CognipeerState
          const theirs = told(
            () => resolveUserQuestionState(state as never, given as never) as CognipeerState,
          )
          const ours = told(() => resolveUserQuestion(state, given as never))
          if (theirs !== null) expect(ours).not.toBeNull()
          const names = questions.flatMap((each) => [each.question, each.header ?? ''])
          // Where names could mean two questions, theirs may give one answer to both.
          const isClear = new Set(names).size === names.length
          if (isClear) expect(shown(ours)).toBe(shown(theirs))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['equal options', [{ question: 'Which?', options: [{ label: 'A' }, { label: 'A' }] }]],
    ['a blank question', [{ question: ' ' }]],
    ['a blank option', [{ question: 'Which?', options: [{ label: ' ' }, { label: 'A' }] }]],
  ])('can be declined here too where it cannot be shown, for %s', async (_, questions) => {
    const { paused, told, resume } = await pause({ questions })
    await resume(resolveUserQuestion(paused, { id: 'call_ask_user_question', cancelled: true, notes: 'No.' }))
    expect(toldIn(told)).toEqual({ status: 'cancelled', message: 'No.' })
  })
})

describe('a question of an agent below', () => {
  it('says who asks, and the answer reaches that agent', async () => {
    const { sandbox, channel } = await createWorkspace()
    const metadata = { __subagent: { name: 'scout', parentToolCallId: 'call_parent' } }
    const { paused } = await pause()
    const [entry] = paused.pendingUserQuestions ?? []
    const state: CognipeerState = { ...paused, pendingUserQuestions: entry ? [{ ...entry, metadata }] : [] }
    const resolved = askPending(state, { channel, runId: 'r' })
    const toolCallId = 'call_ask_user_question'
    const host = createFileHostChannel({ files: sandbox.files })
    await vi.waitFor(async () =>
      expect((await host.read(toolCallId)).record?.asker).toEqual({
        agent: 'scout',
        parentToolCallId: 'call_parent',
      }),
    )
    await declineQuestion(sandbox, { toolCallId })
    // The agent above hands the answer down, so there is no tool message for its own model.
    expect((await resolved).messages).toEqual(state.messages)
  })
})

describe('meant differently from Cognipeer', () => {
  it('a question that cannot be shown is declined at once, in words for the model', async () => {
    const { sandbox, channel } = await createWorkspace()
    const equal = { question: 'Which?', options: [{ label: 'A' }, { label: 'A' }] }
    const { paused, told, resume } = await pause({ questions: [equal] })
    expect((await resume(await askPending(paused, { channel, runId: 'r' }))).content).toBe('Done')
    expect(toldIn(told)).toEqual({
      status: 'cancelled',
      message: expect.stringContaining('options with distinct labels'),
    })
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('an optional question gets no answer by a name that could mean another one', () => {
    const input = {
      questions: [{ question: 'Name' }, { question: 'Whose?', header: 'Name', required: false }],
    }
    const requestedAt = '2026-01-01T00:00:00.000Z'
    const paused = addUserQuestion<CognipeerState>(
      {},
      { id: 'uq_1', toolCallId: 'call_1', input, requestedAt },
    )
    const resolved = resolveUserQuestion(paused, { id: 'uq_1', answers: { Name: { values: ['Demo'] } } })
    expect(
      JSON.parse((resolved.messages as Turn[]).map(({ content }) => content).join()).answers,
    ).toMatchObject([{ values: ['Demo'] }, { values: [] }])
  })

  it('all faults of an answer are listed, not the first alone', async () => {
    const { paused } = await pause()
    expect(() => resolveUserQuestion(paused, { id: 'call_ask_user_question', answers: {} })).toThrow(
      expect.objectContaining({ faults: [expect.anything(), expect.anything()] }),
    )
  })
})
