import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { checkOptions } from '@sandagent/core/internal'
import { ASK_MCP_OPTIONS, type AskMcpOptions, settingsOf } from './call.ts'
import { askServer } from './server.ts'
import { createSessions } from './sessions.ts'

export interface AskMcpServerOptions extends AskMcpOptions {
  /**
   * The host names, without ports, under which the server may be reached and from whose pages; against pages that
   * reach for servers of the local machine. Default: those of the local machine.
   */
  allowedHostnames?: readonly string[] | undefined
}

/** An MCP server over Streamable HTTP, on web-standard requests and responses. */
export interface AskMcpServer {
  /** Serves one request. It knows no users: check beforehand who asks, as with every route. */
  fetch(request: Request): Promise<Response>
  /** Ends all connections and withdraws their open questions; resolves when every question is settled. */
  close(): Promise<void>
}

/**
 * Offers `ask_user_question` to MCP clients over Streamable HTTP, both to those of 2026, whose every request stands
 * alone, and to those of 2025, which have sessions. A client that cancels its call or loses the connection withdraws
 * its question.
 */
export function createAskMcpServer(given: AskMcpServerOptions): AskMcpServer {
  checkOptions('createAskMcpServer', given, { ...ASK_MCP_OPTIONS, allowedHostnames: 'list' })
  const { allowedHostnames = localhostAllowedHostnames(), ...options } = given
  const hostnames = [...allowedHostnames]
  const settings = settingsOf(options)
  const calls = new Set<Promise<unknown>>()
  const server = () => askServer(options, settings, calls)
  const sessions = createSessions(server, settings.clock)
  // A stream from the start: its headers and its signs of life go out while the person still thinks.
  const modern = createMcpHandler(server, { legacy: 'reject', responseMode: 'sse' })
  return {
    async fetch(request) {
      const refusal =
        hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames)
      if (refusal) return refusal
      return (await isLegacyRequest(request)) ? sessions.fetch(request) : modern.fetch(request)
    },
    async close() {
      await Promise.all([modern.close(), sessions.close()])
      await Promise.all(calls)
    },
  }
}
