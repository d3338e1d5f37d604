import { describeOutcome, outcomeOf, parseQuestionRecord, type SettledRecord } from '@sandagent/core/internal'
import { createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import { type AskUserQuestionToolOptions, createAskUserQuestionTool } from '@sandagent/runner/ai-sdk'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { aiVersions, toolBeside } from './support/models/ai-versions.ts'
import { tempSandbox } from './support/workspace.ts'

const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const toolCallId = 'call_1'

async function recordOf(sandbox: LocalSandbox): Promise<SettledRecord> {
  const text = await sandbox.files.read(questionRecordPath(toolCallId))
  return parseQuestionRecord(text as string) as SettledRecord
}

/** Waits until the question can be answered. */
const asked = (sandbox: LocalSandbox): Promise<void> =>
  vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))

it('createAskUserQuestionTool is not made without the channel of a runner, or with options that do not exist', () => {
  const make = (options: object) => () => createAskUserQuestionTool(options as AskUserQuestionToolOptions)
  expect(make({})).toThrow('channel must be the channel of a runner')
  expect(make({ runID: 'run-1' })).toThrow('runID: expected no such name; there are channel, runId')
})

describe.each(Object.entries(aiVersions))('createAskUserQuestionTool beside ai %s', (_, version) => {
  const { ai, Model, finish } = version

  /** Lets a model ask and then end, and resolves to what the page and the model are told. */
  async function converse(
    sandbox: LocalSandbox,
    {
      input = { questions: [COLOUR] },
      abortSignal,
      ...options
    }: Partial<AskUserQuestionToolOptions> & { input?: object; abortSignal?: AbortSignal } = {},
  ) {
    const { createAskUserQuestionTool, UnansweredError } = await toolBeside(version)
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const call = { type: 'tool-call', toolCallId, toolName: 'AskUserQuestion', input: JSON.stringify(input) }
    const turns = [[call, finish('tool-calls')], [finish('stop')]].map((parts) => ({
      stream: ai.simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts] }),
    }))
    const model = new Model({ doStream: turns as never })
    const result = ai.streamText({
      model,
      prompt: 'Paint it.',
      tools: { AskUserQuestion: createAskUserQuestionTool({ channel, ...options }) },
      stopWhen: ({ steps }) => steps.length === turns.length,
      ...(abortSignal && { abortSignal }),
    })
    const chunks = []
    for await (const chunk of result.toUIMessageStream({
      onError: (error) => (error instanceof UnansweredError ? error.message : 'An error occurred.'),
    }))
      chunks.push(chunk)
    const read = model.doStreamCalls[1]?.prompt.at(-1)?.content
    return { chunks, offered: model.doStreamCalls[0]?.tools, read: read && toolOutputIn(read) }
  }

  const toolOutputIn = (content: unknown): unknown =>
    (content as { type: string; output: unknown }[]).find(({ type }) => type === 'tool-result')?.output

  it('offers the model a tool that it can describe to any provider', async () => {
    const sandbox = await tempSandbox()
    const { offered } = await converse(sandbox, { timeoutMs: 1 })
    expect(offered).toMatchObject([
      {
        type: 'function',
        name: 'AskUserQuestion',
        description: expect.stringContaining('Asks the user'),
        inputSchema: { type: 'object', required: ['questions'] },
      },
    ])
  })

  it('gives the answer as output to the page and as text to the model', async () => {
    const sandbox = await tempSandbox()
    const conversation = converse(sandbox, { runId: 'chat-1' })
    await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
    const { chunks, read } = await conversation
    expect(chunks).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-available',
        toolCallId,
        output: expect.objectContaining({ answers: { 'Which colour?': 'Blue' }, status: 'answered' }),
      }),
    )
    expect(read).toEqual({ type: 'text', value: 'The user answered:\n- "Which colour?": "Blue"' })
    await vi.waitFor(async () =>
      expect(await recordOf(sandbox)).toMatchObject({ state: 'answered', runId: 'chat-1' }),
    )
  })

  it('makes an error of a refusal, which says what to do', async () => {
    const sandbox = await tempSandbox()
    const conversation = converse(sandbox)
    await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'paint it yourself' })
    const { chunks, read } = await conversation
    const errorText = await vi.waitFor(async () => describeOutcome(outcomeOf(await recordOf(sandbox))))
    expect(errorText).toContain('paint it yourself')
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-output-error', toolCallId, errorText }),
    )
    expect(read).toEqual({ type: 'error-text', value: errorText })
  })

  it('makes an error of a time-out', async () => {
    const sandbox = await tempSandbox()
    const { chunks, read } = await converse(sandbox, { timeoutMs: 1 })
    const errorText = describeOutcome(outcomeOf(await recordOf(sandbox)))
    expect(errorText).toContain('Nobody answered')
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-output-error', toolCallId, errorText }),
    )
    expect(read).toEqual({ type: 'error-text', value: errorText })
  })

  it('withdraws the question when the generation is aborted', async () => {
    const sandbox = await tempSandbox()
    const stop = new AbortController()
    const conversation = converse(sandbox, { abortSignal: stop.signal })
    await asked(sandbox)
    stop.abort()
    const { chunks, read } = await conversation
    expect(chunks.at(-1)).toMatchObject({ type: 'abort' })
    expect(read).toBeUndefined()
    await vi.waitFor(async () => expect(await recordOf(sandbox)).toMatchObject({ state: 'aborted' }))
  })

  it('lets the model read a stored answer in the same words', async () => {
    const { createAskUserQuestionTool } = await toolBeside(version)
    const sandbox = await tempSandbox()
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const questions = [{ id: 'colour', ...COLOUR }]
    const output = {
      questions,
      answers: { 'Which colour?': 'Blue' },
      responses: { colour: { selected: ['Blue'], source: 'human' } },
      status: 'answered',
    }
    const part = {
      type: 'tool-AskUserQuestion',
      toolCallId,
      state: 'output-available',
      input: { questions },
      output,
    }
    const messages = await ai.convertToModelMessages([{ role: 'assistant', parts: [part as never] }], {
      tools: { AskUserQuestion: createAskUserQuestionTool({ channel }) },
    })
    expect(toolOutputIn(messages.at(-1)?.content)).toEqual({
      type: 'text',
      value: 'The user answered:\n- "Which colour?": "Blue"',
    })
  })

  it('tells the model of questions that cannot be asked', async () => {
    const sandbox = await tempSandbox()
    const { read } = await converse(sandbox, { input: { questions: [{ question: '' }] } })
    expect(read).toEqual({
      type: 'error-text',
      value: expect.stringContaining('questions.0.question: expected text that is not empty'),
    })
    expect(await listQuestions(sandbox)).toEqual([])
  })
})
