import { AskError, type ChannelWarning, type RunnerChannel } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { settingsOf } from '../../src/mcp/call.ts'
import { askServer } from '../../src/mcp/server.ts'
import { createSessions } from '../../src/mcp/sessions.ts'
import type { AskMcpOptions } from '../../src/mcp.ts'
import { createWorkspace } from '../workspace.ts'

const FORMS = { elicitation: { form: {} } }
const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]

interface Client {
  capabilities?: object
  name?: string
}

/** A client of 2025 in a session with a server. */
async function start(options: AskMcpOptions, { capabilities = {}, name = 'test' }: Client = {}) {
  const warnings: ChannelWarning[] = []
  const settings = settingsOf({ onWarning: (warning) => warnings.push(warning), ...options })
  const calls = new Set<Promise<unknown>>()
  const sessions = createSessions(() => askServer(settings, calls), createFakeClock())
  onTestFinished(() => sessions.close())
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const post = (method: string, params: object): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return sessions.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))
  }
  const clientInfo = { name, version: '1' }
  const begun = await post('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
  await begun.text()
  headers['mcp-session-id'] = begun.headers.get('mcp-session-id') as string

  const request = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const text = await (await post(method, params)).text()
    const { result, error } = JSON.parse(text.slice(text.indexOf('data: ') + 'data: '.length))
    if (error) throw new Error(error.message)
    return result
  }
  const call = (input: object = { questions }, tool = 'ask_user_question') =>
    request('tools/call', { name: tool, arguments: input })
  /** Calls, and resolves to what comes until there is a form. */
  const formOf = async (input: object): Promise<string> => {
    const { body } = await post('tools/call', { name: 'ask_user_question', arguments: input })
    let text = ''
    for await (const piece of body ?? []) {
      text += new TextDecoder().decode(piece)
      if (text.includes('elicitation/create')) break
    }
    return text
  }
  return { request, call, formOf, calls, warnings }
}

/** A channel where nothing can be asked. */
const broken = async (error: Error): Promise<RunnerChannel> => ({
  ...(await createWorkspace()).channel,
  open: async () => {
    throw error
  },
})

describe('the tool of an MCP server', () => {
  it.each([
    ['a client without forms', undefined, {}, 0],
    ['a client with forms', undefined, FORMS, 1],
    ['a client whose forms have no mode', undefined, { elicitation: {} }, 1],
    ['a client that only shows URLs', undefined, { elicitation: { url: {} } }, 0],
    ['a client that shows both', undefined, { elicitation: { url: {}, form: {} } }, 1],
    ['a client without forms, and a channel that is not meant', 'client', {}, 0],
    ['a client without forms, and a channel', 'channel', {}, 1],
    ['a client without forms, and a channel in its place', 'auto', {}, 1],
  ] as const)('is offered if somebody can answer: %s', async (_, via, capabilities, count) => {
    const channel = via && (await createWorkspace()).channel
    const { request, call, calls } = await start({ channel, via }, { capabilities })
    const { tools } = (await request('tools/list')) as { tools: object[] }
    expect(tools).toHaveLength(count)
    if (count === 0) await expect(call()).rejects.toThrow('Unknown tool: ask_user_question')
    else
      expect(tools[0]).toMatchObject({
        name: 'ask_user_question',
        title: 'Ask the user',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
        _meta: { 'anthropic/alwaysLoad': true },
      })
    expect(calls.size).toBe(0)
  })

  it('is the only one', async () => {
    const { call } = await start({}, { capabilities: FORMS })
    await expect(call({}, 'other')).rejects.toThrow('Unknown tool: other')
  })

  it('shows lists only to clients that have them', async () => {
    const multi = [{ ...questions[0], multiSelect: true }]
    for (const [name, hasLists] of [
      ['test', true],
      ['codex-mcp-client', false],
    ] as const) {
      const { formOf } = await start({}, { capabilities: FORMS, name })
      const form = await formOf({ questions: multi })
      expect(form).toContain('requestedSchema')
      expect(form.includes('"array"')).toBe(hasLists)
    }
  })
})

describe('a call that fails', () => {
  it.each([{}, { questions: [] }])('tells the model of its own faults: %j', async (input) => {
    const { call, warnings } = await start({}, { capabilities: FORMS })
    expect(await call(input)).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^The user could not be asked\. \w/) }],
    })
    expect(warnings).toEqual([])
  })

  it.each([
    [new Error('secret'), { code: 'INTERNAL', message: 'secret' }],
    [
      new AskError('UNREACHABLE', 'secret', { cause: new Error('why') }),
      { code: 'UNREACHABLE', message: 'secret: why' },
    ],
    [new AskError('UNREACHABLE', 'secret', { cause: 'why' }), { code: 'UNREACHABLE', message: 'secret' }],
    [Object.assign(new Error('secret'), { code: 'ENOSPC' }), { code: 'ENOSPC', message: 'secret' }],
    [new AskError('INVALID_FILE', 'secret'), { code: 'INVALID_FILE', message: 'secret' }],
  ])('tells the operator of other failures, and the model only that: %s', async (error, warning) => {
    const { call, warnings, calls } = await start({ channel: await broken(error) })
    const result = await call()
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('This is not a decision of theirs') }],
    })
    expect(JSON.stringify(result)).not.toContain('secret')
    expect(warnings).toEqual([warning])
    await Promise.all(calls)
    expect(calls.size).toBe(0)
  })

  it('needs no operator', async () => {
    const { call } = await start({ channel: await broken(new Error('broken')), onWarning: undefined })
    expect(await call()).toMatchObject({ isError: true })
  })
})
