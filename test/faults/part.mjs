// A process of the product: a runner that asks, a host that serves the answer API, or people who answer at once. It says
// on its standard output, in lines of JSON, what its caller is told. argv: what it is, the workdir, and its options in JSON.

import { writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser, createVerifiedChannel, receiptsWritten } from '@sandagent/runner'
import {
  createAnswerHandler,
  LocalSandbox,
  parseSigningKeys,
  submitAnswer,
  toNodeHandler,
} from '@sandagent/sdk'

const [name, workdir = '', options = '{}'] = process.argv.slice(2)
const { request, timeoutMs, blockMs, answers, signingKey } = JSON.parse(options)
const keys = signingKey ? await parseSigningKeys(signingKey) : null
const say = (/** @type {unknown} */ value) => writeSync(1, `${JSON.stringify(value)}\n`)
const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })

/** Keeps the event loop busy. */
const block = () => {
  say({ blocked: true })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs)
}

const parts = {
  async runner() {
    const files = createFileRunnerChannel({ workdir })
    const channel = keys ? createVerifiedChannel(files, { publicKeys: keys.publicKeys }) : files
    const onAsked = () => {
      say({ asked: true })
      // A moment later, so that the runner has begun to wait.
      if (blockMs) setTimeout(block, 50)
    }
    say({ outcome: await askUser(channel, request, { onAsked, ...(timeoutMs && { timeoutMs }) }) })
    await receiptsWritten()
    process.exit()
  },

  host() {
    const handler = createAnswerHandler({ sandbox, signingKeys: keys, authorize: () => true })
    const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1')
    server.once('listening', () => say({ url: `http://127.0.0.1:${server.address().port}` }))
  },

  async people() {
    const codes = answers.map((/** @type {object} */ answer) =>
      submitAnswer(sandbox, answer, { signingKeys: null }).then(
        () => 'stored',
        (error) => error.code ?? String(error),
      ),
    )
    say({ codes: await Promise.all(codes) })
    process.exit()
  },
}

await parts[name]()
