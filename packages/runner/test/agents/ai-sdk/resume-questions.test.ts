import { expect, it, vi } from 'vitest'
import { createAskUserQuestionTool, resumeQuestions } from '../../../src/ai-sdk.ts'
import { createWorkspace, picked } from '../../workspace.ts'

const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
const open = (type: string, toolCallId: string, more = {}) => ({
  type,
  toolCallId,
  state: 'input-available',
  input: { questions },
  ...more,
})
const text = { type: 'text', text: 'Hello' }

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
  const resumed = resumeQuestions(messages, { channel: space.channel, runId: 'chat' })
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
})

it('a signal withdraws the questions, and the options reach them', async () => {
  const space = await createWorkspace()
  const messages = [{ role: 'assistant', parts: [open('tool-AskUserQuestion', 'a')] }]
  const given = { channel: space.channel, runId: 'chat' }
  const stop = new AbortController()
  const resumed = resumeQuestions(messages, { ...given, abortSignal: stop.signal })
  await vi.waitFor(() => space.record('a'))
  stop.abort()
  expect((await resumed)[0]?.parts).toMatchObject([{ errorText: expect.stringContaining('withdrawn') }])
  const late = [{ role: 'assistant', parts: [open('tool-AskUserQuestion', 'b')] }]
  expect((await resumeQuestions(late, { ...given, timeoutMs: 0 }))[0]?.parts).toMatchObject([
    { errorText: expect.stringContaining('Nobody answered') },
  ])
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
