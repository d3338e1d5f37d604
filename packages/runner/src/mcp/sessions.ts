import { randomUUID } from 'node:crypto'
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Clock } from '@sandagent/core'
import { withEnd } from './response-end.ts'

/** How long a session without an open response is kept. */
const IDLE_MS = 60 * 60 * 1000
const MAX_SESSIONS = 1000

interface Sessions {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

interface Session extends Sessions {
  isBusy(): boolean
}

/** Sessions of MCP 2025: answers and cancellations are separate requests and must reach the waiting server. */
export function createSessions(newServer: () => Server, clock: Clock, most: number = MAX_SESSIONS): Sessions {
  /** The last used session is the last. */
  const sessions = new Map<string, Session>()

  /** Whether one more session may begin. If there are too many, it ends the one that was idle for the longest. */
  const hasRoom = (): boolean => {
    if (sessions.size < most) return true
    const [id, idle] = [...sessions].find(([, session]) => !session.isBusy()) ?? []
    if (id === undefined) return false
    sessions.delete(id)
    void idle?.close()
    return true
  }

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
          // The transport has rejected the request.
          if (sessionId === undefined) void session.close()
          else if (openResponses === 0 && sessions.has(sessionId))
            cancelTimer = clock.after(IDLE_MS, () => void session.close())
        })
      },
      close: () => server.close(),
      isBusy: () => openResponses > 0,
    }
    return session
  }

  return {
    async fetch(request) {
      const id = request.headers.get('mcp-session-id')
      if (id === null)
        return hasRoom() ? (await open()).fetch(request) : refusal(503, -32000, 'Too many sessions')
      const session = sessions.get(id)
      if (!session) return refusal(404, -32001, 'Session not found')
      sessions.delete(id)
      sessions.set(id, session)
      return session.fetch(request)
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
    },
  }
}

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
