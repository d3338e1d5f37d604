import { query } from '@anthropic-ai/claude-agent-sdk'
import { createAnthropic as anthropic5 } from 'ai-anthropic-5'
import { createAnthropic as anthropic6 } from 'ai-anthropic-6'
import { createAnthropic as anthropic7 } from 'ai-anthropic-7'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerWithFile, PNG } from '../support/attachments/place.ts'
import { asked, channelOf, connect, overHttp, sandagent, tempSandbox } from '../support/mcp.ts'
import { connectWithTasks } from '../support/mcp-tasks.ts'
import { type AiVersion, aiVersions, toolBeside } from '../support/models/ai-versions.ts'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, type MessagesApi, startMessagesApi } from '../support/models/messages-api.ts'

const questions = [{ question: 'What do you see?', files: { types: ['image/*'] } }]
const DATA = PNG.toString('base64')
const providers = { '5': anthropic5, '6': anthropic6, '7': anthropic7 }

/** What the model was told of a call, block by block. */
function resultIn({ requests }: MessagesApi, toolUseId: string): unknown {
  const blocks = requests
    .flatMap(({ messages }) => messages)
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return blocks.find(({ tool_use_id }) => tool_use_id === toolUseId)?.content
}

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }

describe('an image in an answer', () => {
  it.each(Object.values(aiVersions).map((version): [string, AiVersion] => [version.name, version]))(
    'is an image for the model that the AI SDK %s calls',
    async (name, version) => {
      const sandbox = await tempSandbox()
      const ask = call('AskUserQuestion', { questions })
      const api = await startMessagesApi([[ask]])
      onTestFinished(() => api.close())
      const { createAskUserQuestionTool } = await toolBeside(version)
      const provider = providers[name as keyof typeof providers]({ baseURL: `${api.url}/v1`, apiKey: 'none' })
      const result = version.ai.streamText({
        model: provider('claude-sonnet-4-5') as never,
        prompt: 'Look at it.',
        tools: { AskUserQuestion: createAskUserQuestionTool({ channel: channelOf(sandbox) }) as never },
        stopWhen: ({ steps }) => steps.length === 2,
      })
      const ended = Promise.resolve(result.text)
      await answerWithFile(sandbox, ask.id)
      await ended
      expect(resultIn(api, ask.id)).toEqual([
        { type: 'text', text: expect.stringContaining('screen.png') },
        IMAGE,
      ])
    },
  )

  it('is an image for Claude Code, which asks by MCP', async () => {
    const ask = call('mcp__sandagent__ask_user_question', { questions })
    const { sandbox, api } = await createClaudeWorkspace([[ask]])
    const session = query({
      prompt: 'Look at it.',
      options: {
        cwd: sandbox.workdir,
        allowedTools: [ask.name],
        mcpServers: {
          sandagent: {
            command: process.execPath,
            args: [sandagent, 'mcp', '--workdir', sandbox.workdir],
            alwaysLoad: true,
          },
        },
      },
    })
    const ended = (async () => {
      for await (const _ of session);
    })()
    await answerWithFile(sandbox, ask.id)
    await ended
    expect(resultIn(api, ask.id)).toContainEqual(IMAGE)
  })

  const CONTENT = { type: 'image', data: DATA, mimeType: 'image/png' }

  it('is image content for a client of MCP', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await overHttp({ channel: channelOf(sandbox) }))
    const result = client.callTool({ name: 'ask_user_question', arguments: { questions } })
    await answerWithFile(sandbox, (await asked(sandbox)).toolCallId)
    expect((await result).content).toContainEqual(CONTENT)
  })

  it('is image content in the result of a task', async () => {
    const sandbox = await tempSandbox()
    const { session } = await connectWithTasks(await overHttp({ channel: channelOf(sandbox) }))
    const execution = await session.callTool('ask_user_question', { questions })
    await answerWithFile(sandbox, (await asked(sandbox)).toolCallId)
    const { outcome } = await execution.settle()
    expect(outcome).toMatchObject({ status: 'completed', result: { content: [{ type: 'text' }, CONTENT] } })
  })

  it('is image content for a client that looks at its ticket', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await overHttp({ channel: channelOf(sandbox), tickets: true }))
    await client.callTool({ name: 'ask_user_question', arguments: { questions, blocking: false } })
    const { toolCallId } = await asked(sandbox)
    await answerWithFile(sandbox, toolCallId)
    const check = { name: 'check_question', arguments: { ticket: toolCallId, action: 'wait' } }
    expect((await client.callTool(check)).content).toContainEqual(CONTENT)
  })
})
