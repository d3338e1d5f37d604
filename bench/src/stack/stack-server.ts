// A host in a process of its own: the answer API over HTTP.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'

const sandbox = new LocalSandbox({ workdir: process.argv[2] ?? '', isolation: 'none' })
const handler = createAnswerHandler({ sandbox, authorize: () => ({ answeredBy: 'Ada' }) })
const server = createServer(toNodeHandler(handler))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
