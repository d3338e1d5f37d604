import { expect, it, vi } from 'vitest'
import { createAskUserQuestionTool, resumeQuestions } from '../../../src/ai-sdk.ts'
import { askUser } from '../../../src/ask/ask-user.ts'
import { createWorkspace, picked, type Workspace } from '../../workspace.ts'

const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
const open = (type: string, toolCallId: string, more = {}) => ({
  type,
  toolCallId,
  state: 'input-available',
  input: { questions },
  ...more,
})
const text = { type: 'text', text: 'Hello' }

/** Asks as a server does that is stopped then. */
async function leftOpen({ channel }: Workspace, ...ids: string[]): Promise<void> {
  for (const toolCallId of ids) {
    const stopped = new AbortController()
    const request = { toolCallId, questions, runId: 'chat' }
    await askUser(channel, request, { detachSignal: stopped.signal, onAsked: () => stopped.abort() })
  }
}

it('open questions get their results, and everything else stays the same', async () => {
  const space = await createWorkspace()
  const messages = [
    { role: 'user', parts: [open('tool-AskUserQuestion', 'u')] },
    { role: 'assistant', parts: [text] },
    {
      role: 'assistant',
      id: 'm',
      parts: [
        text,
        open('tool-AskUserQuestion', 'a'),
        open('dynamic-tool', 'b', { toolName: 'AskUserQuestion' }),
        open('dynamic-tool', 'c', { toolName: 'Bash' }),
        open('tool-Bash', 'd'),
        open('tool-AskUserQuestion', 'e', { state: 'output-available', output: 1 }),
      ],
    },
  ]
  const before = structuredClone(messages)
  await leftOpen(space, 'a', 'b')
  const write = vi.fn()
  const resumed = resumeQuestions(messages, { channel: space.channel, runId: 'chat', writer: { write } })
  for (const [id, answer] of [
    ['a', { responses: { q1: picked('Red') } }],
    ['b', { status: 'declined', responses: {} }],
  ] as const) {
    expect(await vi.waitFor(() => space.record(id))).toMatchObject({ runId: 'chat' })
    await space.respond(id, answer.responses, answer as object)
  }
  const [first, second, third] = await resumed
  expect([first, second]).toEqual(before.slice(0, 2))
  expect(first).toBe(messages[0])
  expect(second).toBe(messages[1])
  const [words, a, b, ...others] = third?.parts ?? []
  expect(third).toMatchObject({ role: 'assistant', id: 'm' })
  expect(a).toMatchObject({
    ...open('tool-AskUserQuestion', 'a'),
    state: 'output-available',
    output: { status: 'answered', answers: { 'Which colour?': 'Red' } },
  })
  expect(b).toMatchObject({
    toolCallId: 'b',
    toolName: 'AskUserQuestion',
    state: 'output-error',
    errorText: expect.stringContaining('declined to answer'),
  })
  expect([words, ...others]).toEqual([text, ...(before[2]?.parts.slice(3) ?? [])])
  expect(messages).toEqual(before)
  expect(await space.host.questions()).toHaveLength(2)
  expect(write.mock.calls).toEqual([
    [
      {
        type: 'tool-output-available',
        toolCallId: 'a',
        output: expect.objectContaining({ status: 'answered' }),
      },
    ],
    [
      {
        type: 'tool-output-error',
        toolCallId: 'b',
        dynamic: true,
        errorText: expect.stringContaining('declined'),
      },
    ],
  ])
})

it('the page gets no result of a message that its stream does not go on with', async () => {
  const space = await createWorkspace()
  await leftOpen(space, 'a')
  const messages = [
    { role: 'assistant', parts: [open('tool-AskUserQuestion', 'a')] },
    { role: 'user', parts: [text] },
  ]
  const write = vi.fn()
  const resumed = resumeQuestions(messages, { channel: space.channel, runId: 'chat', writer: { write } })
  await space.respond('a', { q1: picked('Red') })
  expect((await resumed)[0]?.parts).toMatchObject([{ state: 'output-available' }])
  expect(write).not.toHaveBeenCalled()
})

it('a call whose record was swept fails at once, and nobody is asked', async () => {
  const space = await createWorkspace()
  const messages = [{ role: 'assistant', parts: [open('tool-AskUserQuestion', 'a')] }]
  const [message] = await resumeQuestions(messages, { channel: space.channel, runId: 'chat' })
  expect(message?.parts).toMatchObject([
    { state: 'output-error', errorText: expect.stringMatching(/withdrawn.* no record of it.*Ask again/) },
  ])
  expect(await space.host.questions({ unsettled: true })).toEqual([])
})

it('a signal withdraws the questions', async () => {
  const space = await createWorkspace()
  const messages = [{ role: 'assistant', parts: [open('tool-AskUserQuestion', 'a')] }]
  const given = { channel: space.channel, runId: 'chat' }
  await leftOpen(space, 'a')
  const stop = new AbortController()
  const resumed = resumeQuestions(messages, { ...given, abortSignal: stop.signal })
  await vi.waitFor(() => space.record('a'))
  stop.abort()
  expect((await resumed)[0]?.parts).toMatchObject([{ errorText: expect.stringContaining('withdrawn') }])
})

it('the tool asks under the id of its run, or a random one', async () => {
  const space = await createWorkspace()
  const run = async (toolCallId: string, options: object) => {
    const { execute } = createAskUserQuestionTool({ channel: space.channel, ...options })
    const done = execute?.({ questions }, { toolCallId } as never)
    const { runId } = await vi.waitFor(() => space.record(toolCallId))
    await space.respond(toolCallId, { q1: picked('Red') })
    return { runId, output: await done }
  }
  const { runId, output } = await run('a', { runId: 'chat' })
  expect(runId).toBe('chat')
  expect(output).toMatchObject({ status: 'answered', answers: { 'Which colour?': 'Red' } })
  expect((await run('b', {})).runId).toMatch(/^[0-9a-f-]{36}$/)
})

it('the tool fails with words for the model, and describes an output for every version', async () => {
  const space = await createWorkspace()
  const tool = createAskUserQuestionTool({ channel: space.channel, timeoutMs: 0 })
  expect(tool.description).toMatch(/\w/)
  const failure = Promise.resolve(tool.execute?.({ questions }, { toolCallId: 'a' } as never))
  await expect(failure).rejects.toMatchObject({
    name: 'UnansweredError',
    message: expect.stringContaining('Nobody answered'),
    outcome: { kind: 'timed-out' },
  })
  const output = {
    questions: [{ id: 'q1', ...questions[0] }],
    answers: { 'Which colour?': 'Red' },
    responses: { q1: picked('Red') },
    status: 'answered',
  }
  const value = 'The user answered:\n- "Which colour?": "Red"'
  expect(tool.toModelOutput?.(output as never)).toEqual({ type: 'text', value })
  expect(tool.toModelOutput?.({ output } as never)).toEqual({ type: 'text', value })
})
