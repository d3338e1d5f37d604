import type { Client, Transport } from '@modelcontextprotocol/client'
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioOne } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createElicitationHandler } from '@sandagent/runner/mcp-client'
import { declineQuestion, type LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asked, channelOf, connect, startProgram, tempSandbox } from '../support/mcp.ts'
import {
  ANSWERS,
  capabilities,
  everything,
  picked,
  rawResult,
  type ToolResult,
  typed,
  VALUES,
} from '../support/servers/server-everything.ts'

const handlerFor = (sandbox: LocalSandbox) =>
  createElicitationHandler({ channel: channelOf(sandbox), serverName: 'everything' })

/** Clients of both SDKs, as far as these tests need them. */
const clients: Record<
  string,
  (sandbox: LocalSandbox) => Promise<(name: string, args?: object) => Promise<ToolResult>>
> = {
  '@modelcontextprotocol/client 2': async (sandbox) => {
    const client: Client = await connect(startProgram(everything) as Transport, { capabilities }, (client) =>
      client.setRequestHandler('elicitation/create', handlerFor(sandbox)),
    )
    return async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as ToolResult
  },
  '@modelcontextprotocol/sdk 1': async (sandbox) => {
    const client = await connectOne(sandbox)
    return async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as ToolResult
  },
}

async function connectOne(sandbox: LocalSandbox): Promise<ClientOne> {
  const client = new ClientOne({ name: 'test', version: '1.0.0' }, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, handlerFor(sandbox))
  onTestFinished(() => client.close())
  await client.connect(new StdioOne({ command: process.execPath, args: [everything], stderr: 'pipe' }))
  return client
}

describe.each(Object.keys(clients))('server-everything asks through %s', (name) => {
  const start = clients[name] as (typeof clients)[string]

  it('for thirteen fields of all kinds, and gets each in its own type', async () => {
    const sandbox = await tempSandbox()
    const call = await start(sandbox)
    const result = call('trigger-elicitation-request')
    const { toolCallId, questions } = await asked(sandbox)
    expect(questions.map(({ id }) => id)).toEqual(Object.keys(ANSWERS))
    await submitAnswer(sandbox, { toolCallId, responses: ANSWERS })
    expect(rawResult(await result)).toEqual({ action: 'accept', content: VALUES })
  })

  it('and takes its defaults for all that it does not insist on', async () => {
    const sandbox = await tempSandbox()
    const call = await start(sandbox)
    const result = call('trigger-elicitation-request')
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, responses: { name: typed('Zoë') } })
    expect(rawResult(await result)).toEqual({
      action: 'accept',
      content: {
        name: 'Zoë',
        firstLine: 'It was a dark and stormy night.',
        integer: 42,
        number: 3.14,
        untitledSingleSelectEnum: 'Monica',
        untitledMultipleSelectEnum: ['Guitar'],
        titledSingleSelectEnum: 'hero-1',
        titledMultipleSelectEnum: ['fish-1'],
        legacyTitledEnum: 'pet-1',
      },
    })
  })

  it('and hears of a refusal', async () => {
    const sandbox = await tempSandbox()
    const call = await start(sandbox)
    const result = call('trigger-elicitation-request')
    await declineQuestion(sandbox, { toolCallId: (await asked(sandbox)).toolCallId })
    expect(rawResult(await result)).toEqual({ action: 'decline' })
  })

  it.each([
    ['accept', 'User completed the URL elicitation flow'],
    ['decline', 'User declined to open the URL'],
  ])('to open a page: %s', async (answer, outcome) => {
    const sandbox = await tempSandbox()
    const call = await start(sandbox)
    const url = 'https://example.com/login?next=%2F'
    const result = call('trigger-url-elicitation', { url })
    const { toolCallId, questions } = await asked(sandbox)
    expect(questions[0]?.question).toContain(url)
    await submitAnswer(sandbox, { toolCallId, responses: { q1: picked(answer) } })
    expect((await result).content[0]?.text).toContain(outcome)
  })

  it('to open a page before the call, by an error that names the page', async () => {
    const sandbox = await tempSandbox()
    const call = await start(sandbox)
    const args = { url: 'https://example.com', errorPath: true }
    const error = await call('trigger-url-elicitation', args).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: -32042 })
    const [params] = error.data.elicitations
    const consent = handlerFor(sandbox)({ params })
    await submitAnswer(sandbox, {
      toolCallId: (await asked(sandbox)).toolCallId,
      responses: { q1: picked('accept') },
    })
    expect(await consent).toEqual({ action: 'accept' })
  })
})

describe('server-everything asks in the midst of a task', () => {
  it('and goes on with the answer', async () => {
    const sandbox = await tempSandbox()
    const client = await connectOne(sandbox)
    const answering = asked(sandbox).then(({ toolCallId }) =>
      submitAnswer(sandbox, { toolCallId, responses: { interpretation: picked('snake') } }),
    )
    const messages = client.experimental.tasks.callToolStream(
      { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true } },
      CallToolResultSchema,
      { task: { ttl: 300_000 } },
    )
    const results: string[] = []
    for await (const message of messages) {
      if (message.type === 'error') throw message.error
      if (message.type === 'result') results.push(JSON.stringify(message.result))
    }
    expect(results).toEqual([expect.stringContaining('**Clarification**: snake')])
    await answering
  })
})
