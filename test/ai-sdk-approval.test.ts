import { createFileRunnerChannel } from '@sandagent/files'
import { type ApprovalOptions, withApproval } from '@sandagent/runner/ai-sdk'
import { type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { jsonSchema } from 'ai-7'
import { describe, expect, it, vi } from 'vitest'
import { aiVersions, toolBeside } from './support/models/ai-versions.ts'
import { tempSandbox } from './support/workspace.ts'

const toolCallId = 'call_1'
const SCHEMA = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const }, depth: { type: 'integer' as const } },
  required: ['path'],
}

it('withApproval is not made with options that do not exist, or without the channel of a runner', () => {
  const tool = { inputSchema: jsonSchema(SCHEMA), execute: () => 'done' }
  expect(() => withApproval(tool as never, { name: 'erase' } as ApprovalOptions)).toThrow('channel must be')
  expect(() => withApproval(tool as never, { tool: 'erase' } as never)).toThrow('tool: expected no such name')
})

describe.each(Object.entries(aiVersions))('a tool with an approval, beside ai %s', (number, version) => {
  const { ai, Model, finish } = version

  /** Lets a model call the tool and then end, while a person decides. */
  async function converse(
    sandbox: LocalSandbox,
    decide: (sandbox: LocalSandbox) => Promise<unknown>,
    more: object = {},
    options: Partial<ApprovalOptions> = {},
  ) {
    const { withApproval, UnansweredError } = await toolBeside(version)
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const input = { path: 'build', depth: 3 }
    const call = { type: 'tool-call', toolCallId, toolName: 'erase', input: JSON.stringify(input) }
    const turns = [[call, finish('tool-calls')], [finish('stop')]].map((parts) => ({
      stream: ai.simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts] }),
    }))
    const model = new Model({ doStream: turns as never })
    const ran: unknown[] = []
    const erase = {
      description: 'Erases a folder',
      inputSchema: ai.jsonSchema(SCHEMA, {
        validate: (value) =>
          typeof (value as { path?: unknown }).path === 'string'
            ? { success: true, value }
            : { success: false, error: new Error('path must be a text') },
      }),
      execute(given: unknown) {
        ran.push(given)
        return { erased: 1 }
      },
      ...more,
    }
    const result = ai.streamText({
      model,
      prompt: 'Tidy up.',
      tools: { erase: withApproval(erase as never, { name: 'erase', channel, runId: 'chat-1', ...options }) },
      stopWhen: ({ steps }) => steps.length === turns.length,
    })
    const deciding = decide(sandbox)
    const chunks: { type: string; output?: unknown; errorText?: string }[] = []
    for await (const chunk of result.toUIMessageStream({
      onError: (error) => (error instanceof UnansweredError ? error.message : 'An error occurred.'),
    }))
      chunks.push(chunk as never)
    await deciding
    return { ran, chunks, read: JSON.stringify(model.doStreamCalls[1]?.prompt.at(-1)?.content) }
  }

  const decides =
    (response: object, status: 'completed' | 'declined' = 'completed') =>
    async (sandbox: LocalSandbox): Promise<void> => {
      await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
      const permission = { selected: ['allow-once'], source: 'human' as const, ...response }
      await submitAnswer(sandbox, { toolCallId, status, responses: { permission } }, { signingKeys: null })
    }

  it('shows the person the call with its schema, and runs it as it is', async () => {
    const sandbox = await tempSandbox()
    const { ran, chunks } = await converse(sandbox, async () => {
      await decides({})(sandbox)
    })
    expect(ran).toEqual([{ path: 'build', depth: 3 }])
    expect(chunks.find(({ type }) => type === 'tool-output-available')?.output).toEqual({ erased: 1 })
    const [view] = await listQuestions(sandbox, { all: true })
    expect(view?.subject).toEqual({
      toolName: 'erase',
      input: { path: 'build', depth: 3 },
      editable: true,
      schema: SCHEMA,
    })
  })

  it('says why it asks, as the rule of the server', async () => {
    const sandbox = await tempSandbox()
    await converse(sandbox, decides({}), {}, { reason: 'Nobody can take it back.' })
    const [view] = await listQuestions(sandbox, { all: true })
    expect(view?.subject?.reasons).toEqual([{ by: 'rule', text: 'Nobody can take it back.' }])
  })

  it('runs it as the person edited it, and its model reads how', async () => {
    const { ran, chunks, read } = await converse(
      await tempSandbox(),
      decides({ input: { path: 'build/tmp', depth: 3 } }),
    )
    expect(ran).toEqual([{ path: 'build/tmp', depth: 3 }])
    expect(chunks.find(({ type }) => type === 'tool-output-available')?.output).toEqual({
      changedByUser: expect.stringContaining('"path" was "build", and ran as "build/tmp"'),
      output: { erased: 1 },
    })
    expect(read).toContain('The user changed the input of erase before allowing it.')
  })

  it('tells its model also where the tool has words of its own for it', async () => {
    const toModelOutput = (given: { erased?: number; output?: { erased: number } }) => ({
      type: 'text',
      value: `Erased: ${number === '5' ? given.erased : given.output?.erased}`,
    })
    const edited = await converse(await tempSandbox(), decides({ input: { path: 'tmp' } }), { toModelOutput })
    expect(edited.read).toContain('Erased: 1')
    expect(edited.read).toContain('depth\\" was removed')
    const plain = await converse(await tempSandbox(), decides({}), { toModelOutput })
    expect(plain.read).toContain('"value":"Erased: 1"')
  })

  it('does not run an edit that is no input of the tool', async () => {
    const { ran, read } = await converse(await tempSandbox(), decides({ input: { depth: 1 } }))
    expect(ran).toEqual([])
    expect(read).toContain(
      'erase was not run. The user changed its input to one that does not fit: path must be',
    )
  })

  it.each<[string, object, 'completed' | 'declined', string]>([
    ['denied', { selected: ['deny'], notes: 'Not today' }, 'completed', 'The user denied it, saying'],
    ['declined', {}, 'declined', 'The user declined to answer'],
  ])('does not run it when it is %s, and page and model read why', async (_, response, status, words) => {
    const { ran, chunks, read } = await converse(await tempSandbox(), decides(response, status))
    expect(ran).toEqual([])
    expect(chunks.find(({ type }) => type === 'tool-output-error')?.errorText).toContain(words)
    expect(read).toContain(words)
  })

  it('does not run it when the person asks back, and its model reads what', async () => {
    const { ran, read } = await converse(await tempSandbox(), async (sandbox) => {
      await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
      const answer = { toolCallId, status: 'declined', asksBack: true, reason: 'What is in it?' } as const
      await submitAnswer(sandbox, answer, { signingKeys: null })
    })
    expect(ran).toEqual([])
    expect(read).toContain('What is in it?')
  })

  it('does not run it when nobody decides in time', async () => {
    const { ran, read } = await converse(await tempSandbox(), async () => {}, {}, { timeoutMs: 1 })
    expect(ran).toEqual([])
    expect(read).toContain('erase was not run. Nobody answered')
  })

  it('takes the last output of a tool that has several', async () => {
    const ran: unknown[] = []
    async function* execute(given: unknown) {
      ran.push(given)
      yield 'half'
      yield 'whole'
    }
    const { chunks } = await converse(await tempSandbox(), decides({ input: { path: 'tmp' } }), { execute })
    expect(ran).toEqual([{ path: 'tmp' }])
    expect(chunks.filter(({ type }) => type === 'tool-output-available').at(-1)?.output).toMatchObject({
      output: 'whole',
    })
  })
})
