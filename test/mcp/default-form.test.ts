// @vitest-environment jsdom

import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { createElicitationHandler } from '@sandagent/runner/mcp-client'
import { createAnswerHandler } from '@sandagent/sdk'
import { AskUserQuestion } from '@sandagent/sdk/react'
import { createToolParts } from '@sandagent/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { asked, channelOf, connect, tempSandbox } from '../support/mcp.ts'
import { serve } from '../support/servers/serve.ts'
import { capabilities } from '../support/servers/server-everything.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const DEFAULTS = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, default: 'demo' },
    port: { type: 'integer' as const, default: 8080 },
    secure: { type: 'boolean' as const, default: false },
    region: { type: 'string' as const, enum: ['eu', 'us'], default: 'eu' },
  },
  required: ['name', 'port', 'secure', 'region'],
}
const OPTIONAL = { type: 'object' as const, properties: { nickname: { type: 'string' as const } } }

/** MCP's own server, whose tool asks by this form, and the page of the person who is asked. */
async function openForm(requestedSchema: typeof DEFAULTS | typeof OPTIONAL) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const sandbox = await tempSandbox()
  const server = new McpServer({ name: 'settings', version: '1.0.0' })
  const results: unknown[] = []
  server.registerTool('configure', {}, async (ctx) => {
    results.push(await ctx.mcpReq.elicitInput({ mode: 'form', message: 'Settings', requestedSchema }))
    return { content: [] }
  })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await server.connect(there)
  const handler = createElicitationHandler({ channel: channelOf(sandbox) })
  const client = await connect(here, { capabilities }, (connecting) =>
    connecting.setRequestHandler('elicitation/create', handler),
  )
  const call = client.callTool({ name: 'configure', arguments: {} }, { timeout: 600_000 })
  call.catch(() => {})
  const { toolCallId, questions } = await asked(sandbox)
  const part = createToolParts(questions, { toolCallId, toolName: 'elicitation/create' }).waiting()
  const answerEndpoint = `${await serve(createAnswerHandler({ sandbox }))}/api/answer`
  render(createElement(AskUserQuestion, { part, answerEndpoint, layout: 'all' }))
  await vi.waitFor(() =>
    expect(screen.getByRole('button', { name: 'Decline' }).matches(':disabled')).toBe(false),
  )
  /** What the server got. */
  const result = async () => {
    await call
    return results[0]
  }
  return { result }
}

const press = async (name: RegExp) => userEvent.click(await screen.findByRole('button', { name }))

it('a form whose fields all have defaults reaches the server as accepted, when it is sent unchanged', async () => {
  const { result } = await openForm(DEFAULTS)
  await press(/^Send/)
  expect(await result()).toEqual({
    action: 'accept',
    content: { name: 'demo', port: 8080, secure: false, region: 'eu' },
  })
})

it('a form that asks for nothing is accepted empty, when it is sent empty', async () => {
  const { result } = await openForm(OPTIONAL)
  await press(/^Send/)
  expect(await result()).toEqual({ action: 'accept', content: {} })
})

it.each([
  ['defaults', DEFAULTS],
  ['optional fields', OPTIONAL],
] as const)('a form with %s that is declined reaches the server as declined', async (_, schema) => {
  const { result } = await openForm(schema)
  await press(/^Decline/)
  const confirm = screen.queryAllByRole('button', { name: /^Decline/ }).at(-1)
  if (confirm) await userEvent.click(confirm)
  expect(await result()).toEqual({ action: 'decline' })
})
