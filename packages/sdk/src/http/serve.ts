import { type Reply, replyTo, responseOf } from './replies.ts'
import type { ApiRequest } from './web-request.ts'

/** Serves a request, of Node or of the web. */
export type Serve = (request: ApiRequest) => Promise<Reply>

const behind = new WeakMap<(request: Request) => Promise<Response>, Serve>()

/** Makes a handler of web requests. `toNodeHandler` goes past it, because web requests and responses are slow in Node. */
export function handlerBy(serve: Serve): (request: Request) => Promise<Response> {
  const handler = async (request: Request): Promise<Response> =>
    replyTo(request, responseOf(await serve(request)))
  behind.set(handler, serve)
  return handler
}

/** What serves the requests of a handler, if it was made here. */
export const serveBehind = (handler: (request: Request) => Promise<Response>): Serve | undefined =>
  behind.get(handler)
