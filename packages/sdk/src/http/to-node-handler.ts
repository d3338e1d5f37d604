import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import type { AnswerHandler } from './answer-handler.ts'
import { notePeer } from './peer.ts'

/** A request handler as Node's `http` and Express take it. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Serves a web request, whatever its method. */
export type WebHandler = (request: Request) => Promise<Response>

/**
 * Makes a handler for Node's `http` and Express out of one for web requests: `createAnswerHandler`'s, another with one
 * or both of its methods, for which other methods get 405, or a function that serves every method. It works behind
 * `express.json()` too, which has read the body before. It knows who connects: see `authorize`.
 */
export function toNodeHandler(handler: Partial<AnswerHandler> | WebHandler): NodeHandler {
  const handle = typeof handler === 'function' ? handler : byMethod(handler)
  return async (req, res) => {
    // The socket's address and nothing else: it is what no header of the caller's can change.
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

/** The request with the body that a body parser took out of the stream, if one did. */
function withParsedBody(request: Request, { body }: IncomingMessage & { body?: unknown }): Request {
  const { method } = request
  if (body === undefined || method === 'GET' || method === 'HEAD') return request
  const { url, headers, signal } = request
  return new Request(url, { method, headers, signal, body: written(body) })
}

/** What is nested too deeply to be written is no answer. */
function written(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    return ''
  }
}
