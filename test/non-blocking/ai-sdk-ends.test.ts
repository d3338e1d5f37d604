import { deferred } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { type LocalSandbox, listQuestions } from '@sandagent/sdk'
import type { ToolSet, UIMessage } from 'ai-7'
import { describe, expect, it, vi } from 'vitest'
import { type AiVersion, aiVersions, toolBeside } from '../support/models/ai-versions.ts'
import { ASK } from '../support/tickets.ts'
import { tempSandbox } from '../support/workspace.ts'

const CALL = { type: 'tool-call', toolCallId: 'ask', toolName: 'AskUserQuestion', input: JSON.stringify(ASK) }
const SAYS = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'I take Postgres.' },
  { type: 'text-end', id: 't' },
]

/** A reply as in the guide, of a server that lives on. The second step of its model is `second`. */
async function reply(version: AiVersion, sandbox: LocalSandbox, second: () => Promise<object[]>) {
  const { ai, Model, finish } = version
  const { createQuestionTools } = await toolBeside(version)
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  const questions = createQuestionTools({ channel, runId: 'chat-1' })
  const known = await questions.resume<UIMessage>([
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Build it.' }] },
  ])
  let isFirst = true
  const model = new Model({
    async doStream() {
      const chunks = isFirst ? [CALL, finish('tool-calls')] : [...(await second()), finish('stop')]
      isFirst = false
      const stream = ai.simulateReadableStream({
        chunks: [{ type: 'stream-start', warnings: [] }, ...chunks],
      })
      return { stream: stream as never }
    },
  })
  const result = ai.streamText({
    model,
    messages: await ai.convertToModelMessages(known),
    tools: questions.tools as unknown as ToolSet,
    prepareStep: (step) => questions.prepareStep(step),
    stopWhen: ({ steps }) => steps.length === 2,
    maxRetries: 0,
    onError() {},
  })
  void result.consumeStream({ onError() {} }).then(questions.close)
  return result.toUIMessageStreamResponse()
}

const stands = (sandbox: LocalSandbox, facts: object) =>
  vi.waitFor(async () => {
    const [view] = await listQuestions(sandbox)
    expect({ ...view }).toMatchObject({ toolCallId: 'ask', blocking: false, comesBack: true })
    expect({ runEnded: view?.runEnded }).toEqual(facts)
  })

describe.each(Object.values(aiVersions))('a reply of ai $name whose server lives on', (version) => {
  it.each([
    ['ends', async () => SAYS],
    ['fails', () => Promise.reject(new Error('The model is down'))],
  ])('leaves its question to the next reply when it %s', async (_, end) => {
    const sandbox = await tempSandbox()
    const go = deferred<void>()
    const response = await reply(version, sandbox, async () => {
      await go.promise
      return end()
    })
    const read = response.text().catch(() => '')
    await stands(sandbox, { runEnded: undefined })
    go.resolve(undefined)
    await read
    await stands(sandbox, { runEnded: true })
  })

  it('works on when its page is closed, and leaves its question then', async () => {
    const sandbox = await tempSandbox()
    const go = deferred<object[]>()
    const response = await reply(version, sandbox, () => go.promise)
    await stands(sandbox, { runEnded: undefined })
    await response.body?.cancel()
    go.resolve(SAYS)
    await stands(sandbox, { runEnded: true })
  })
})
