import { setImmediate } from 'node:timers/promises'
import type { Server } from '@modelcontextprotocol/server'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { settingsOf } from '../../src/mcp/call.ts'
import { askServer } from '../../src/mcp/server.ts'
import { createSessions } from '../../src/mcp/sessions.ts'

const HOUR = 60 * 60 * 1000
const accept = 'application/json, text/event-stream'
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

function start(most?: number) {
  const clock = createFakeClock()
  const servers: Server[] = []
  const newServer = (): Server => {
    const server = askServer(settingsOf({}), new Set())
    servers.push(server)
    return server
  }
  const sessions = createSessions(newServer, clock, most)
  const request = (method: string, body?: object, id?: string) =>
    sessions.fetch(
      new Request('http://127.0.0.1/mcp', {
        method,
        headers: { accept, 'content-type': 'application/json', ...(id && { 'mcp-session-id': id }) },
        ...(body && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) }),
      }),
    )
  const begin = async (): Promise<string> => {
    const response = await request('POST', initialize)
    await response.text()
    return response.headers.get('mcp-session-id') as string
  }
  return {
    clock,
    servers,
    request,
    begin,
    sessions,
    open: () => servers.filter((server) => server.transport),
  }
}

const list = { method: 'tools/list' }

describe('sessions of MCP 2025', () => {
  it('keep their server from request to request', async () => {
    const { begin, request, servers } = start()
    const id = await begin()
    expect(await (await request('POST', list, id)).text()).toContain('"tools":[]')
    expect(servers).toHaveLength(1)
  })

  it('end when the client says so, and are not found any more', async () => {
    const { begin, request, open, clock } = start()
    const id = await begin()
    const stream = await request('GET', undefined, id)
    await request('DELETE', undefined, id)
    await stream.text()
    expect(open()).toEqual([])
    expect(clock.pending()).toBe(0)
    expect((await request('POST', list, id)).status).toBe(404)
  })

  it('end an hour after the last response', async () => {
    const { begin, request, open, clock } = start()
    const id = await begin()
    clock.advance(HOUR - 1)
    await (await request('POST', list, id)).text()
    clock.advance(HOUR - 1)
    expect(open()).toHaveLength(1)
    clock.advance(1)
    await vi.waitFor(() => expect(open()).toEqual([]))
    expect(clock.pending()).toBe(0)
  })

  it('last as long as a stream is open', async () => {
    const { begin, request, open, clock } = start()
    const id = await begin()
    const stream = await request('GET', undefined, id)
    clock.advance(5 * HOUR)
    expect(open()).toHaveLength(1)
    await stream.body?.cancel()
    clock.advance(HOUR)
    await vi.waitFor(() => expect(open()).toEqual([]))
  })

  it('end an hour after the last response, though a stream broke off before it', async () => {
    const { begin, request, open, clock } = start()
    const id = await begin()
    const stream = await request('GET', undefined, id)
    await setImmediate()
    await stream.body?.cancel()
    await setImmediate()
    await (await request('POST', list, id)).text()
    clock.advance(HOUR)
    await vi.waitFor(() => expect(open()).toEqual([]))
    expect(clock.pending()).toBe(0)
  })

  it('do not begin with anything else than their beginning', async () => {
    const { request, open, clock } = start()
    const response = await request('POST', list)
    expect(response.status).toBe(400)
    await response.text()
    await vi.waitFor(() => expect(open()).toEqual([]))
    expect(clock.pending()).toBe(0)
    expect((await request('POST', list, 'unknown')).status).toBe(404)
  })

  it('make room for one more by ending the one that was idle for the longest, and none that is in use', async () => {
    const { begin, request, open, sessions } = start(2)
    const [first, second] = [await begin(), await begin()]
    await (await request('POST', list, first)).text()
    const third = await begin()
    const statuses = async () =>
      Promise.all(
        [first, second, third].map(async (id) => {
          const response = await request('POST', list, id)
          await response.text()
          return response.status
        }),
      )
    expect(await statuses()).toEqual([200, 404, 200])
    await request('GET', undefined, first)
    await request('GET', undefined, third)
    expect((await request('POST', initialize)).status).toBe(503)
    expect(await statuses()).toEqual([200, 404, 200])
    expect(open()).toHaveLength(2)
    await sessions.close()
  })

  it('end together', async () => {
    const { begin, sessions, open, clock } = start()
    await begin()
    await begin()
    await sessions.close()
    expect(open()).toEqual([])
    expect(clock.pending()).toBe(0)
  })
})
