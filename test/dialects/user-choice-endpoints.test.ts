import { createLocalFiles } from '@sandagent/files'
import type { InvokedCall } from '@sandagent/user-choice'
import { describe, expect, it, vi } from 'vitest'
import { arrived, post, tempFolder, writeOperation } from '../support/user-choice/user-choice.ts'
import { choiceOf, invocation, open, resultAfter } from '../support/user-choice/user-choice-tool.ts'

const CALL = { thread_id: 'thread_xyz', tool_call_id: 'call_abc123' }

/** Opens a tool with its endpoints below one origin. */
async function openAll(options: Parameters<typeof open>[0] = {}) {
  const { agent, server } = await open(options)
  server.routes.set('/.well-known/rap-toolset', server.tool.toolset)
  server.routes.set('/cancel_tool_call', server.tool.cancelToolCall)
  server.routes.set('/close_thread', server.tool.closeThread)
  return { agent, server }
}

describe('the toolset endpoint', () => {
  it('describes the operations, and where they are called', async () => {
    const toolset = { name: 'notes', endpoint: 'https://tool.example.com/invoke' }
    const inputSchema = { type: 'object', properties: { directory: { type: 'string' } } }
    const operations = {
      write: { ...writeOperation, description: 'Writes a file', inputSchema },
      read: writeOperation,
    }
    const { server } = await openAll({ toolset, operations })
    const response = await fetch(`${server.url}/.well-known/rap-toolset`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.json()).toEqual({
      ...toolset,
      tools: [
        { name: 'write', description: 'Writes a file', inputSchema },
        { name: 'read', description: 'read', inputSchema: { type: 'object' } },
      ],
    })
    expect(await post(`${server.url}/.well-known/rap-toolset`, {})).toBe(405)
  })

  it('is absent while the tool has no name', async () => {
    const { server } = await openAll()
    expect((await fetch(`${server.url}/.well-known/rap-toolset`)).status).toBe(404)
  })
})

describe('the cancel endpoint', () => {
  it('ends a call that waits for its user, and a selection then comes too late', async () => {
    const perform = vi.fn(writeOperation.perform)
    const { agent, server } = await openAll({ operations: { write: { ...writeOperation, perform } } })
    const { response_url } = await choiceOf(agent, server)
    expect(await post(`${server.url}/cancel_tool_call`, CALL)).toBe(200)
    expect(await resultAfter(agent, 1)).toBe('Error: This call was cancelled.')
    expect(await post(response_url, { id: 'call_abc123', selected: 0 })).toBe(410)
    expect(server.warnings).toMatchObject([{ code: 'GONE', toolCallId: 'call_abc123' }])
    expect(perform).not.toHaveBeenCalled()
  })

  it('stops work that has begun', async () => {
    const perform = vi.fn(
      ({ signal }: InvokedCall) =>
        new Promise<string>((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    )
    const { agent, server } = await openAll({ operations: { write: { confirm: () => null, perform } } })
    await post(server.endpoint, invocation(agent))
    await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce())
    expect(await post(`${server.url}/cancel_tool_call`, CALL)).toBe(200)
    expect(await resultAfter(agent, 0)).toBe('Error: This call was cancelled.')
  })

  it('says 200 for calls that are unknown, of another conversation, or ended', async () => {
    const { agent, server } = await openAll()
    const { response_url } = await choiceOf(agent, server)
    for (const call of [
      { ...CALL, tool_call_id: '../../etc/passwd' },
      { ...CALL, thread_id: 'thread_2' },
    ])
      expect(await post(`${server.url}/cancel_tool_call`, call)).toBe(200)
    await post(response_url, { id: 'call_abc123', selected: 1 })
    expect(await resultAfter(agent, 1)).toBe('Written: Yes once')
    expect(await post(`${server.url}/cancel_tool_call`, CALL)).toBe(200)
    expect(agent.arrivals('/callback')).toHaveLength(2)
  })
})

describe('a grant for the session', () => {
  /** Chooses "Yes for session"; resolves to the result of the next call that needs the same. */
  const grantAndRepeat = async (options: Parameters<typeof open>[0] = {}) => {
    const { agent, server } = await openAll(options)
    const { response_url } = await choiceOf(agent, server, { user_id: 'user_42' })
    await post(response_url, { id: 'call_abc123', selected: 0 })
    await resultAfter(agent, 1)
    return { agent, server, repeated: await choiceOf(agent, server, { id: 'call_2', user_id: 'user_42' }) }
  }

  it('that is needed again shows people what was remembered, where, and how to revoke it', async () => {
    const storage = createLocalFiles(await tempFolder())
    const { server, repeated } = await grantAndRepeat({ storage })
    expect(repeated).toMatchObject({ type: 'tool_result', text: 'Written: Yes for session' })
    const [decision] = await server.tool.decisions('thread_xyz')
    expect(decision).toMatchObject({
      operation: 'write',
      scope: '/src',
      userId: 'user_42',
      label: 'Yes for session',
      decidedAt: expect.any(String),
    })
    const [{ type, content }] = repeated.display_as
    expect(type).toBe('text')
    expect(content).toMatch(/^Written: Yes for session\n/)
    expect(content).toContain('"Yes for session" was chosen for "/src"')
    expect(content).toContain(decision?.decidedAt)
    expect(content).toContain(`keeps that in ${decision?.path}`)
    expect(content).toMatch(/To be asked again, close the conversation/)
    expect(await storage.read(decision?.path as string)).toContain('Yes for session')
  })

  it('is not spoken of where the user was asked', async () => {
    const { agent } = await grantAndRepeat()
    expect(agent.arrivals('/callback')[1]?.body).not.toHaveProperty('display_as')
  })

  it('is revoked alone, and the user is asked again', async () => {
    const { agent, server } = await grantAndRepeat()
    const [decision] = await server.tool.decisions('thread_xyz')
    if (!decision) throw new Error('Nothing was remembered')
    await server.tool.forget('thread_xyz', { ...decision, scope: '/other' })
    expect(await server.tool.decisions('thread_xyz')).toHaveLength(1)
    await server.tool.forget('thread_xyz', decision)
    expect(await server.tool.decisions('thread_xyz')).toEqual([])
    expect((await choiceOf(agent, server, { id: 'call_3', user_id: 'user_42' })).type).toBe('user_choice')
  })

  it('ends with its conversation, when the runtime closes that', async () => {
    const { agent, server } = await grantAndRepeat()
    expect(await post(`${server.url}/close_thread`, { thread_id: '../thread_xyz' })).toBe(200)
    expect(await server.tool.decisions('thread_xyz')).toHaveLength(1)
    expect(await post(`${server.url}/close_thread`, { thread_id: 'thread_xyz' })).toBe(200)
    expect(await post(`${server.url}/close_thread`, { thread_id: 'thread_xyz' })).toBe(200)
    expect((await choiceOf(agent, server, { id: 'call_3', user_id: 'user_42' })).type).toBe('user_choice')
  })
})

describe('the invoke endpoint', () => {
  it('gives an operation the conversations that its own comes from, and no arguments for null', async () => {
    const calls: InvokedCall[] = []
    const confirm = (call: InvokedCall) => {
      calls.push(call)
      return null
    }
    const { agent, server } = await openAll({ operations: { write: { confirm, perform: () => 'Done' } } })
    await post(server.endpoint, invocation(agent, { arguments: null, thread_ancestors: ['root', 'parent'] }))
    await arrived(agent, '/callback', 1)
    await post(server.endpoint, invocation(agent, { id: 'call_2', thread_ancestors: null }))
    await arrived(agent, '/callback', 2)
    expect(calls.map((call) => [call.arguments, call.threadAncestors])).toEqual([
      [{}, ['root', 'parent']],
      [{ directory: '/src' }, []],
    ])
  })

  it('takes no more calls than may be pending, until one has ended', async () => {
    const { agent, server } = await openAll({ maxCalls: 1 })
    const { response_url } = await choiceOf(agent, server)
    expect(await post(server.endpoint, invocation(agent))).toBe(200)
    expect(await post(server.endpoint, invocation(agent, { id: 'call_2' }))).toBe(429)
    expect(server.warnings).toMatchObject([{ code: 'RATE_LIMITED' }])
    await post(response_url, { id: 'call_abc123', selected: 1 })
    await resultAfter(agent, 1)
    await vi.waitFor(async () =>
      expect(await post(server.endpoint, invocation(agent, { id: 'call_2' }))).toBe(200),
    )
  })

  it('and those for cancelling and closing serve nobody who is not authorized', async () => {
    const authorize = async ({ headers }: Request) => headers.get('authorization') === 'Bearer good'
    const { agent, server } = await openAll({ authorize })
    for (const [path, body] of [
      ['/invoke', invocation(agent)],
      ['/cancel_tool_call', CALL],
      ['/close_thread', CALL],
    ] as const) {
      expect(await post(server.url + path, body)).toBe(403)
      const headers = { 'content-type': 'application/json', authorization: 'Bearer good' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      expect((await fetch(server.url + path, init)).status).toBe(200)
    }
    expect(server.warnings.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  })

  it('may call back any port of the loopback where that is allowed', async () => {
    const { agent, server } = await openAll({ callbackUrls: ['http://127.0.0.1:*/callback'] })
    expect((await choiceOf(agent, server)).type).toBe('user_choice')
  })

  it('may call back where a function says so', async () => {
    const callbackUrls = vi.fn((url: URL) => url.pathname === '/callback')
    const { agent, server } = await openAll({ callbackUrls })
    expect((await choiceOf(agent, server)).type).toBe('user_choice')
    expect(
      await post(server.endpoint, invocation(agent, { id: 'call_2', callback_url: `${agent.url}/x` })),
    ).toBe(403)
    expect(callbackUrls).toHaveBeenCalledTimes(2)
  })
})
