import type { IncomingMessage, ServerResponse } from 'node:http'
import { AskError, rememberByText } from '@sandagent/core/internal'

type ReadRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

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
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(req)
  const request = new Request(urlOf(req), { ...partsOf(req, res), body, duplex: 'half' })
  if (request.body && !req.readableDidRead) unread.set(request, { req, body: request.body })
  return request
}

/** All of a web request but its body. */
function partsOf(
  req: IncomingMessage,
  res: ServerResponse,
): Pick<Required<RequestInit>, 'method' | 'headers' | 'signal'> {
  const { method = 'GET' } = req
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, [value].flat().join(', '))
  const gone = new AbortController()
  const onClose = (): void => {
    if (!res.writableFinished) gone.abort()
  }
  if (res.destroyed) onClose()
  else res.once('close', onClose)
  return { method, headers, signal: gone.signal }
}

/** A request of Node. A web request is slow to make, so it is made only for who asks for it. */
export class NodeRequest {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #body: ReturnType<typeof bodyOf> | null
  #web: Request | undefined
  readonly method: string
  readonly url: string

  /** @throws AskError `WRONG_HOST`; Error if the body was read and is lost */
  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req
    this.#res = res
    this.method = req.method ?? 'GET'
    this.url = urlOf(req)
    this.#body = this.method === 'GET' || this.method === 'HEAD' ? null : bodyOf(req)
  }

  get headers(): Pick<Headers, 'get'> {
    return this
  }

  get(name: string): string | null {
    const value = this.#req.headers[name]
    return value === undefined ? null : [value].flat().join(', ')
  }

  /** Without its body, which this host reads itself. */
  get web(): Request {
    this.#web ??= new Request(this.url, partsOf(this.#req, this.#res))
    return this.#web
  }

  /** The body in pieces, as they come. */
  get pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
    const body = this.#body ?? ''
    return isBytesOrText(body) ? [Buffer.from(body as string)] : (body as AsyncIterable<Uint8Array>)
  }

  /** The bytes of the body, `null` if they are more than `most`: see {@link NOT_READ}. */
  async read(most: number): Promise<Buffer | null> {
    if (!isBytesOrText(this.#body)) return readStream(this.#req, most)
    const bytes = Buffer.from(this.#body as string)
    return bytes.length > most ? null : bytes
  }
}

/**
 * Of a body that is too large, so many times the limit are read and dropped, because over HTTP/1.1 the next request follows on
 * the same connection. The rest is left.
 */
export const NOT_READ = 4

/** By Node's own events: an iterator takes twice the time. */
async function readStream(req: IncomingMessage, most: number): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let size = 0
  await new Promise<void>((resolve, reject) => {
    const take = (piece: Buffer): void => {
      size += piece.length
      if (size <= most) pieces.push(piece)
      if (size > NOT_READ * most) end()
    }
    const fail = (): void => reject(new Error('The client went away in the middle of its body'))
    const end = (): void => {
      req.off('data', take).off('end', end).off('close', fail).pause()
      resolve()
    }
    if (req.destroyed) fail()
    else req.on('data', take).on('end', end).on('close', fail).resume()
  })
  return size > most ? null : Buffer.concat(pieces)
}

export type ApiRequest = Request | NodeRequest

/** The request as programs of others see it, such as `authorize`. */
export const webOf = (request: ApiRequest): Request =>
  request instanceof NodeRequest ? request.web : request

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

/** A path and a query that stay as they are in a URL. */
const PLAIN = /^\/(?!\/)[\w\-~/]*(\?[\w\-.~%=&+:]*)?$/

const originOf = rememberByText((base) => new URL(base).origin)

/** @throws AskError `WRONG_HOST` */
function urlOf({ headers, socket, url = '/' }: IncomingMessage): string {
  // HTTP/2 has a header of its own, HTTP/1.0 may have none.
  const host = headers.host ?? headers[':authority'] ?? 'localhost'
  const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  const base = `${scheme}://${host}`
  try {
    // What a client sends to a proxy begins with a scheme and a host: those do not count.
    if (HOST.test(String(host)) && PLAIN.test(url)) return `${originOf(base)}${url}`
    const { pathname, search } = new URL(url.startsWith('/') ? `http://localhost${url}` : url, base)
    if (HOST.test(String(host)) && pathname.startsWith('/'))
      return new URL(`${base}${pathname}${search}`).href
  } catch {
    // The same reply as to a host name that is none.
  }
  throw new AskError('WRONG_HOST', 'This request names no host that is served here')
}

/** The body as it was sent, or as near to that as a body parser has left it. */
function bodyOf(req: ReadRequest): NonNullable<RequestInit['body']> {
  const { rawBody, body, headers } = req
  // What a host keeps to check signatures is the body itself.
  if (isBytesOrText(rawBody)) return rawBody
  // Parsers of other types leave the stream alone, and some of them an empty object.
  // It is read no sooner than the web request: Node drops a body that nobody touched, but waits for one that somebody began to
  // read.
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
