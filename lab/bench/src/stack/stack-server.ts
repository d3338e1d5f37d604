// A host in a process of its own: the answer API over HTTP. Its first argument is the workdir. More arguments are the command
// by which it reaches the workdir.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { commandSandbox } from '@sandagent/remote'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'

const [, , workdir = '', program, ...args] = process.argv
const options = { workdir, isolation: 'none' } as const
const sandbox =
  program === undefined ? new LocalSandbox(options) : commandSandbox([program, ...args], options)
const handler = createAnswerHandler({ sandbox, authorize: () => ({ answeredBy: 'Ada' }) })
const server = createServer(toNodeHandler(handler))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
