// The least that a host must do, in a process of its own: reads a posted answer, signs it, and writes it durably. Guarantees
// that are named on the command line come on top, each done in the cheapest way.

import { createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { lookAgain, readQuestion, writeBare } from './bare-store.ts'

const [, , folder = '', key = '', ...guarantees] = process.argv
const kept = { inThreads: guarantees.includes('threads'), claims: guarantees.includes('claims') }
const [records, web] = ['records', 'web'].map((name) => guarantees.includes(name))
const privateKey = createPrivateKey(key)
const questions = join(folder, 'questions')

/** What `authorize` of a host is given. */
function webRequestOf({ method = '', headers }: IncomingMessage): Request {
  const { signal } = new AbortController()
  return new Request(`http://${headers.host}/`, {
    method,
    headers: headers as Record<string, string>,
    signal,
  })
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { toolCallId } = JSON.parse(body) as { toolCallId: string }
  const questionDigest = records ? readQuestion(questions, folder, toolCallId) : undefined
  if (web && webRequestOf(request).headers.has('x-nobody')) throw new Error('Nobody may answer')
  const signature = sign(null, Buffer.from(body), privateKey).toString('base64url')
  await writeBare(folder, [toolCallId, JSON.stringify({ body, questionDigest, signature })], kept)
  if (records) lookAgain(questions, toolCallId)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.((server.address() as AddressInfo).port)
