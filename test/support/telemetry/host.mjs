// A host in a process of its own: it starts an agent, serves its questions, tells how the agent's run has ended, and
// ends when its standard input ends.
// Arguments: the workdir, the scenario.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createAnswerHandler, LocalSandbox, observeQuestions, startRun, toNodeHandler } from '@sandagent/sdk'
import { command, telemetryOf } from './environment.mjs'

const [workdir = '', scenario = ''] = process.argv.slice(2)
const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
const server = createServer(toNodeHandler(createAnswerHandler({ sandbox, authorize: () => true })))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const stopCounting = observeQuestions([sandbox])
/** @type {(run: import('@sandagent/sdk').Run) => void} */
let onEnd = () => {}
/** @type {Promise<import('@sandagent/sdk').Run>} */
const ended = new Promise((resolve) => {
  onEnd = resolve
})
const env = telemetryOf('runner', process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '')
await startRun(
  sandbox,
  {
    agent: 'scripted',
    args: ['--scenario', scenario],
    prompt: 'Start',
    runner: [process.execPath, command],
    env,
  },
  { onEnd },
)
const address = server.address()
console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
const { state, reason } = await ended
console.log(reason === undefined ? state : `${state}: ${reason}`)
await once(process.stdin.resume(), 'end')
stopCounting()
server.closeAllConnections()
server.close()
