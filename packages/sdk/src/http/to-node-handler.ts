import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import type { AnswerHandler } from './answer-handler.ts'
import { notePeer } from './peer.ts'

/** A request handler as Node's `http` and Express take it. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Serves a web request of any method. */
export type WebHandler = (request: Request) => Promise<Response>

/**
 * Turns a handler of web requests into one for Node's `http` and Express, also behind `express.json()`. Methods that the
 * handler lacks get 405. A function serves every method. The peer's address is known: see `authorize`.
 */
export function toNodeHandler(handler: Partial<AnswerHandler> | WebHandler): NodeHandler {
  const handle = typeof handler === 'function' ? handler : byMethod(handler)
  return async (req, res) => {
    // Only the socket's address counts: no header can change it.
    const request = notePeer(withParsedBody(new NodeRequest({ req, res }), req), req.socket.remoteAddress)
    return sendNodeResponse(res, await handle(request))
  }
}

const byMethod =
  ({ GET, POST }: Partial<AnswerHandler>): WebHandler =>
  async (request) => {
    if (GET && request.method === 'GET') return GET(request)
    if (POST && request.method === 'POST') return POST(request)
    const allow = [...(GET ? ['GET'] : []), ...(POST ? ['POST'] : [])].join(', ')
    return new Response(null, { status: 405, headers: { allow } })
  }

/** The request with the body that a body parser, if any, has read. */
function withParsedBody(request: Request, { body }: IncomingMessage & { body?: unknown }): Request {
  const { method } = request
  if (body === undefined || method === 'GET' || method === 'HEAD') return request
  const { url, headers, signal } = request
  return new Request(url, { method, headers, signal, body: written(body) })
}

/** A body that is nested too deeply to be written is not valid. */
function written(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    return ''
  }
}
