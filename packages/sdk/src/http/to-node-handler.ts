import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { logError } from '../answers/warnings.ts'
import { notePeer } from './access.ts'
import type { AnswerHandler } from './answer-handler.ts'
import { errorReply, type Reply, type TextReply, textOf } from './replies.ts'
import { serveBehind } from './serve.ts'
import { NodeRequest, webRequestOf } from './web-request.ts'

/** A request handler as Node's `http` and Express take it. It never rejects: Node would end the process. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Serves a web request of any method. */
export type WebHandler = (request: Request) => Promise<Response>

/**
 * Turns a handler of web requests into one for Node's `http`, Express 4 and 5, and `pages/api` of Next.js, also behind their
 * body parsers. Methods that the handler lacks get 405; HEAD is served where GET is. A function serves every method that a web
 * request can have. What it throws is printed by `console.error`, and the client gets 500. The peer's address is known: see
 * `authorize`.
 */
export function toNodeHandler(handler: Partial<AnswerHandler> | WebHandler): NodeHandler {
  const { GET, POST } = typeof handler === 'function' ? {} : handler
  const methods = [...(GET ? ['GET', 'HEAD'] : []), ...(POST ? ['POST'] : [])]
  const allow = typeof handler === 'function' ? WEB_METHODS : methods.join(', ')
  const notAllowed = (): Response => new Response(null, { status: 405, headers: { allow } })
  const methodOf = ({ method }: IncomingMessage): WebHandler | undefined => {
    if (typeof handler === 'function') return handler
    return method === 'POST' ? POST : method === 'GET' || method === 'HEAD' ? GET : undefined
  }
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<Reply> => {
    const handle = methodOf(req)
    const behind = handle && serveBehind(handle)
    // Only the socket's address counts: no header can change it.
    if (behind) return behind(notePeer(new NodeRequest(req, res), req.socket.remoteAddress))
    const request = handle && webRequestOf(req, res)
    return request ? handle(notePeer(request, req.socket.remoteAddress)) : notAllowed()
  }
  const reply = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    await sendReply(await serve(req, res), res)
    // What the handler has left of a body stands before the next request of the connection.
    req.resume()
  }
  return (req, res) => reply(req, res).catch((error: unknown) => fail(error, res))
}

const WEB_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Ends a response whose handler has failed, or whose client has gone away. */
async function fail(error: unknown, res: ServerResponse): Promise<void> {
  if (!res.headersSent && !res.destroyed)
    return sendReply(errorReply(error), res).catch(() => void res.destroy())
  if (!isGoneAway(error, res)) logError(error)
  if (!res.writableEnded) res.destroy()
}

/** Nobody needs to know that a client did not wait for its response. */
const isGoneAway = (error: unknown, res: ServerResponse): boolean =>
  res.destroyed &&
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))

const sendReply = async (reply: Reply, res: ServerResponse): Promise<void> =>
  reply instanceof Response ? sendResponse(reply, res) : sendText(reply, res)

/** Sends a text, which to `HEAD` is none. */
function sendText({ status, headers, text }: TextReply, res: ServerResponse): void {
  writeHead({ status, statusText: '', headers: Object.entries(headers) }, res)
  res.end(res.req.method === 'HEAD' ? undefined : text)
}

/**
 * Sends a web response as Node's, without its body to `HEAD`. It ends with the body, and cancels the body of a client that
 * goes away.
 *
 * @throws what the body or Node refuses: the client gets no whole response then
 */
async function sendResponse(response: Response, res: ServerResponse): Promise<void> {
  const { body } = response
  try {
    writeHead(response, res)
    const text = textOf(response)
    if (text !== undefined && res.req.method !== 'HEAD') return void res.end(text)
    if (body && res.req.method !== 'HEAD')
      return await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), res)
    res.end()
  } finally {
    if (body && !body.locked) await body.cancel()
  }
}

interface Head extends Pick<Response, 'status' | 'statusText'> {
  headers: Iterable<[string, string]>
}

/** One by one: middleware that waits for `res.writeHead` may lose the headers that are given to it. */
function writeHead({ status, statusText, headers }: Head, res: ServerResponse): void {
  if (res.headersSent) throw new Error('Something else has replied to this request before its handler did')
  res.statusCode = status
  // HTTP/2 has no such text.
  if (res.req.httpVersionMajor < 2) res.statusMessage = statusText
  for (const [name, value] of headers)
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
}
