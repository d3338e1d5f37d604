import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

/**
 * Sends a web response as Node's, without its body to `HEAD`. It ends with the body, and cancels the body of a client that
 * goes away.
 *
 * @throws what the body or Node refuses: the client gets no whole response then
 */
export async function sendResponse(response: Response, res: ServerResponse): Promise<void> {
  const { body } = response
  try {
    writeHead(response, res)
    if (body && res.req.method !== 'HEAD')
      return await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), res)
    res.end()
  } finally {
    if (body && !body.locked) await body.cancel()
  }
}

/** One by one: middleware that waits for `res.writeHead` may lose the headers that are given to it. */
function writeHead({ status, statusText, headers }: Response, res: ServerResponse): void {
  if (res.headersSent) throw new Error('Something else has replied to this request before its handler did')
  res.statusCode = status
  // HTTP/2 has no such text.
  if (res.req.httpVersionMajor < 2) res.statusMessage = statusText
  for (const [name, value] of headers)
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
}
