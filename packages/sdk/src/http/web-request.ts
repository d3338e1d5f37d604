import type { IncomingMessage, ServerResponse } from 'node:http'
import { AskError } from '@sandagent/core'

type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

const NEVER_WEB = /^(CONNECT|TRACE|TRACK)$/

/**
 * Makes a web request of Node's. Nothing of its body is read before somebody reads the web request.
 *
 * @returns `null` for a method that no web request has
 * @throws AskError `WRONG_HOST` for a host name that is none; Error if the body was read and is lost
 */
export function webRequestOf(req: IncomingMessage, res: ServerResponse): Request | null {
  const { method = 'GET' } = req
  if (NEVER_WEB.test(method)) return null
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, [value].flat().join(', '))
  const gone = new AbortController()
  const onClose = (): void => {
    if (!res.writableFinished) gone.abort()
  }
  if (res.destroyed) onClose()
  else res.once('close', onClose)
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(req)
  const request = new Request(urlOf(req), { method, headers, body, signal: gone.signal, duplex: 'half' })
  if (request.body && !req.readableDidRead) unread.set(request, { req, body: request.body })
  return request
}

/** Where the bodies of requests come from, while nobody has read them. */
const unread = new WeakMap<Request, { req: IncomingMessage; body: NonNullable<Request['body']> }>()

/**
 * The body of a request in pieces. It comes from Node, past the web stream, which is slow: not where somebody else reads that,
 * or has a copy of the request.
 */
export function bodyPieces(request: Request): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const { req, body } = unread.get(request) ?? {}
  const isUntouched = req && body === request.body && !body?.locked && !request.bodyUsed
  return isUntouched && !req.readableDidRead ? req.iterator({ destroyOnReturn: false }) : (request.body ?? [])
}

/** The name of a host with its port. What else a client writes there could change the path. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i

/** @throws AskError `WRONG_HOST` */
function urlOf({ headers, socket, url = '/' }: IncomingMessage): URL {
  // HTTP/2 has a header of its own, HTTP/1.0 may have none.
  const host = headers.host ?? headers[':authority'] ?? 'localhost'
  const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  const base = `${scheme}://${host}`
  try {
    // What a client sends to a proxy begins with a scheme and a host: those do not count.
    const { pathname, search } = new URL(url.startsWith('/') ? `http://localhost${url}` : url, base)
    if (HOST.test(String(host)) && pathname.startsWith('/')) return new URL(`${base}${pathname}${search}`)
  } catch {
    // The same reply as to a host name that is none.
  }
  throw new AskError('WRONG_HOST', 'This request names no host that is served here')
}

/** The body as it was sent, or as near to that as a body parser has left it. */
function bodyOf(req: NodeRequest): NonNullable<RequestInit['body']> {
  const { rawBody, body, headers } = req
  // What a host keeps to check signatures is the body itself.
  if (isBytesOrText(rawBody)) return rawBody
  // Parsers of other types leave the stream alone, and some of them an empty object.
  // It is read no sooner than the web request: Node drops a body that nobody touched, but waits for one that somebody began to read.
  if (!req.readableDidRead) return req.iterator({ destroyOnReturn: false })
  if (isBytesOrText(body)) return body
  if (body === undefined)
    throw new Error(
      'A program has read the body of this request and kept nothing of it: serve this handler before that program, or let it keep `req.rawBody`',
    )
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return isForm ? new URLSearchParams(body as Record<string, string>).toString() : written(body)
}

const isBytesOrText = (body: unknown): body is Uint8Array<ArrayBuffer> | string =>
  typeof body === 'string' || body instanceof Uint8Array

/** A body that is nested too deeply to be written is not valid. */
function written(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    return ''
  }
}
