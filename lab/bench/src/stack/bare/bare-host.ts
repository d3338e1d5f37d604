// The least that a host must do, in a process of its own: reads a posted answer, signs it, and writes it durably.

import { createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { durableWrite } from '../../lib/durable-write.ts'

const [, , folder = '', key = ''] = process.argv
const privateKey = createPrivateKey(key)

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { toolCallId } = JSON.parse(body) as { toolCallId: string }
  const signature = sign(null, Buffer.from(body), privateKey).toString('base64url')
  durableWrite(join(folder, `${toolCallId}.json`), JSON.stringify({ body, signature }))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.((server.address() as AddressInfo).port)
