// A host that parks its sandbox, in a process of its own so that tests can kill it. Sleep freezes the programs of the runs.

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parkSandbox } from '@sandagent/remote'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'

const [, , workdir = '', folder = ''] = process.argv
const local = new LocalSandbox({ workdir, isolation: 'none' })

/** @param {NodeJS.Signals} name */
function signal(name) {
  const runs = join(workdir, '.sandagent/runs')
  for (const run of readdirSync(runs)) {
    const { process: handle } = JSON.parse(readFileSync(join(runs, run, '1/run.json'), 'utf8'))
    try {
      process.kill(-Number.parseInt(handle, 10), name)
    } catch {
      // It has ended.
    }
  }
}

const sandbox = await parkSandbox(local, {
  folder,
  afterMs: 40,
  sleep: async () => signal('SIGSTOP'),
  wake: async () => signal('SIGCONT'),
})
const server = createServer(toNodeHandler(createAnswerHandler({ sandbox, authorize: () => true })))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
setInterval(() => process.send?.({ phase: sandbox.phase }), 20)
