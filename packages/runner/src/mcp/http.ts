import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { checkOptions, thenEnd } from '@sandagent/core/internal'
import { ASK_MCP_OPTIONS, type AskMcpOptions, settingsOf } from './call.ts'
import { askServer } from './server.ts'
import { createSessions } from './sessions.ts'
import { ticketsOf } from './tasks.ts'

export interface AskMcpServerOptions extends AskMcpOptions {
  /** Host names, without ports, that requests may go to and come from. Default: those of the local machine. */
  allowedHostnames?: readonly string[] | undefined
}

export interface AskMcpServer {
  /** Serves one request. Authenticate it first: the server knows no users. */
  fetch(request: Request): Promise<Response>
  /**
   * Ends all connections. Withdraws their open questions except those of tasks and tickets, and resolves when what it withdrew
   * is settled.
   */
  close(): Promise<void>
}

/**
 * Offers `ask_user_question` over Streamable HTTP to MCP clients of 2025, which have sessions, and of 2026, which have
 * none. A question is withdrawn when its client cancels the call or loses the connection.
 */
export function createAskMcpServer(given: AskMcpServerOptions): AskMcpServer {
  checkOptions('createAskMcpServer', given, { ...ASK_MCP_OPTIONS, allowedHostnames: 'list' })
  const { allowedHostnames = localhostAllowedHostnames(), ...options } = given
  const hostnames = [...allowedHostnames]
  const settings = settingsOf(options)
  const calls = new Set<Promise<unknown>>()
  const tickets = settings.channel && ticketsOf(settings.channel, settings)
  const server = () => askServer(settings, calls, tickets)
  const sessions = createSessions(server, settings.clock)
  // A stream sends its headers and its progress while the person still thinks.
  const modern = createMcpHandler(server, { legacy: 'reject', responseMode: 'sse' })
  return {
    async fetch(request) {
      const refusal =
        hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames)
      if (refusal) return refusal
      return (await isLegacyRequest(request)) ? sessions.fetch(request) : modern.fetch(request)
    },
    async close() {
      await thenEnd(
        () => Promise.all([modern.close(), sessions.close()]),
        () => Promise.all([...calls, tickets?.close()]),
      )
    },
  }
}
