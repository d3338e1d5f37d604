import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AskMcpServer, createAskMcpServer } from '../../src/mcp.ts'
import { createWorkspace } from '../workspace.ts'

let server: AskMcpServer
afterEach(() => server.close())

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** Begins a session of 2025, over this host and from this site. */
const begin = (host: string, origin?: string): Promise<Response> =>
  server.fetch(
    new Request(`http://${host}/mcp`, {
      method: 'POST',
      headers: {
        host,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(origin !== undefined && { origin }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...initialize }),
    }),
  )

describe('an MCP server over HTTP', () => {
  it.each([
    ['127.0.0.1:4000', undefined, 200],
    ['localhost:4000', 'http://localhost:3000', 200],
    ['evil.example', undefined, 403],
    ['127.0.0.1:4000', 'https://evil.example', 403],
  ])('is reached as %s from %s with the status %i', async (host, origin, status) => {
    const { channel } = await createWorkspace()
    server = createAskMcpServer({ channel })
    const response = await begin(host, origin)
    await response.text()
    expect(response.status).toBe(status)
  })

  it('withdraws the open questions when it is closed, and waits until they are settled', async () => {
    const space = await createWorkspace()
    server = createAskMcpServer({ channel: space.channel })
    const begun = await begin('localhost')
    await begun.text()
    const questions = [{ question: 'Which name?' }]
    const call = { name: 'ask_user_question', arguments: { questions } }
    const response = await server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          host: 'localhost',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
      }),
    )
    expect(response.status).toBe(200)
    await vi.waitFor(async () => expect(await space.host.questions()).toMatchObject([{ state: 'open' }]))
    await server.close()
    expect(await space.host.questions()).toMatchObject([{ state: 'aborted' }])
  })

  it('takes the host names that it is given, and no others', async () => {
    server = createAskMcpServer({ allowedHostnames: ['agent.example'] })
    const statuses = []
    for (const host of ['agent.example', 'localhost']) {
      const response = await begin(host)
      await response.text()
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 403])
  })
})
