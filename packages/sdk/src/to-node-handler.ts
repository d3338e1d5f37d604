import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import type { AnswerHandler } from './answer-handler.ts'

/** A request handler as Node's `http` and Express take it. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * Makes a handler for Node's `http` and Express out of `createAnswerHandler`'s, or of another with one of its methods.
 * Other methods get 405. It works behind `express.json()` too, which has read the body before.
 */
export function toNodeHandler(handler: Partial<AnswerHandler>): NodeHandler {
  const { GET, POST } = handler
  const respond = async (req: IncomingMessage, request: Request): Promise<Response> => {
    if (GET && req.method === 'GET') return GET(request)
    if (POST && req.method === 'POST') return POST(withParsedBody(request, req))
    return new Response(null, { status: 405, headers: { allow: Object.keys(handler).join(', ') } })
  }
  return async (req, res) => sendNodeResponse(res, await respond(req, new NodeRequest({ req, res })))
}

/** The request with the body that a body parser took out of the stream, if one did. */
function withParsedBody(request: Request, { body }: IncomingMessage & { body?: unknown }): Request {
  if (body === undefined) return request
  const { url, method, headers, signal } = request
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
