import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnswerHandler, toNodeHandler } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'

/** Serves a handler on a free port of the loopback until the test is over; resolves to the origin. */
export async function serve(handler: Partial<AnswerHandler>): Promise<string> {
  const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Posts JSON, or a text as it is. */
export const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
