import { randomUUID } from 'node:crypto'
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Clock } from '@sandagent/core'

/** How long a session without an open response is kept: its client has gone, or begins a new one. */
const IDLE_MS = 60 * 60 * 1000

interface Session {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

/**
 * Sessions of MCP 2025 over HTTP: a client's answers to a form, and its cancellations, come as requests of their own
 * and have to reach the server that waits for them.
 */
export function createSessions(newServer: () => Server, clock: Clock): Session {
  const sessions = new Map<string, Session>()

  async function open(): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    })
    const server = newServer()
    let cancelTimer = (): void => {}
    server.onclose = () => {
      cancelTimer()
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
    }
    await server.connect(transport)
    let openResponses = 0
    const session: Session = {
      async fetch(request) {
        cancelTimer()
        openResponses += 1
        return withEnd(await transport.handleRequest(request), () => {
          openResponses -= 1
          const { sessionId } = transport
          // What did not begin a session was refused.
          if (sessionId === undefined) void session.close()
          else if (openResponses === 0 && sessions.has(sessionId))
            cancelTimer = clock.after(IDLE_MS, () => void session.close())
        })
      },
      close: () => server.close(),
    }
    return session
  }

  return {
    async fetch(request) {
      const id = request.headers.get('mcp-session-id')
      const session = id === null ? await open() : sessions.get(id)
      return session?.fetch(request) ?? NO_SESSION()
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
    },
  }
}

const NO_SESSION = (): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  )

/** The same response; `onEnd` is called once when all of it was read, or its reader went away. */
function withEnd(response: Response, onEnd: () => void): Response {
  const reader = response.body?.getReader()
  if (!reader) {
    onEnd()
    return response
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      onEnd()
      controller.close()
    },
    async cancel(reason) {
      onEnd()
      await reader.cancel(reason)
    },
  })
  return new Response(body, response)
}
