import { join } from 'node:path'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { startGrants } from '@sandagent/grants'
import { createAnswerHandler, listQuestions, type QuestionView, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { aiVersions, toolBeside } from './support/models/ai-versions.ts'
import { tempSandbox } from './support/workspace.ts'

it.each(Object.entries(aiVersions))(
  'a tool beside ai %s runs again without asking what a person allowed for its run',
  async (_, version) => {
    const { ai, Model, finish } = version
    const sandbox = await tempSandbox()
    const ending = new AbortController()
    const grants = startGrants({
      folder: join(await tempDir(), 'grants'),
      sandboxes: [{ id: 'shop', name: 'The shop', sandbox }],
      signingKeys: null,
      signal: ending.signal,
    })
    onTestFinished(async () => {
      ending.abort()
      await grants.ended
    })
    const { withApproval } = await toolBeside(version)
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const call = (toolCallId: string, path: string) => ({
      ...{ type: 'tool-call', toolCallId, toolName: 'erase' },
      input: JSON.stringify({ path }),
    })
    const turns = [
      [call('call_1', 'a'), finish('tool-calls')],
      [call('call_2', 'b'), finish('tool-calls')],
      [finish('stop')],
    ].map((parts) => ({
      stream: ai.simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts] }),
    }))
    const ran: unknown[] = []
    const erase = {
      description: 'Erases a folder',
      inputSchema: ai.jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
      execute: (given: unknown) => ran.push(given),
    }
    const result = ai.streamText({
      model: new Model({ doStream: turns as never }),
      prompt: 'Tidy up.',
      tools: { erase: withApproval(erase as never, { name: 'erase', channel, runId: 'chat-1' }) },
      stopWhen: ({ steps }) => steps.length === turns.length,
    })
    const decide = async (): Promise<void> => {
      await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
      const { GET } = createAnswerHandler({ sandbox, grants, signingKeys: null, authorize: () => true })
      const view = (await (
        await GET(new Request('http://localhost/?toolCallId=call_1'))
      ).json()) as QuestionView
      const covers = 'Every call of `erase`, whatever it is given, until this run ends.'
      const scope = view.scopes?.find((each) => each.covers === covers)?.id
      const responses = { permission: { selected: ['allow-once'], source: 'human' as const } }
      const answer = { toolCallId: 'call_1', status: 'completed', responses, scope } as const
      await submitAnswer(sandbox, answer, { grants, signingKeys: null })
    }
    const decided = decide()
    for await (const _chunk of result.toUIMessageStream());
    await decided
    expect(ran).toEqual([{ path: 'a' }, { path: 'b' }])
    expect(await grants.list()).toMatchObject([{ uses: { count: 1, latest: [{ toolCallId: 'call_2' }] } }])
  },
)
