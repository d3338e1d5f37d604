// An AgentRail agent that asks two questions at once, and the route of the host that takes the answers.
// node examples/dialects/agentrail.mjs FOLDER
import { createServer } from 'node:http'
import { createFileRunnerChannel } from '@sandagent/files'
import { createAskRegistry, createAskUserQuestionTool } from '@sandagent/runner/agentrail'
import { LocalSandbox, toNodeHandler } from '@sandagent/sdk'
import { createRespondHandler } from '@sandagent/sdk/agentrail'

const workdir = process.argv[2] ?? 'agentrail-example'

const respond = createRespondHandler({ sandbox: new LocalSandbox({ workdir }) })
const server = createServer(toNodeHandler(respond))
server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(JSON.stringify({ type: 'listening', ...Object(server.address()) }))
})

const registry = createAskRegistry({ channel: createFileRunnerChannel({ workdir }) })
const tool = createAskUserQuestionTool('session-1', registry, {
  onEvent: (event) => console.log(JSON.stringify(event)),
})
const results = await Promise.all([
  tool.execute('call_1', {
    question: 'Which testing framework should I use?',
    options: ['Vitest (Recommended)', 'Jest', 'Mocha'],
    custom: false,
  }),
  tool.execute('call_2', { question: 'Where will it run?', hint: 'AWS, GCP, Azure, or your own machines' }),
])
console.log(JSON.stringify({ type: 'results', results: results.map(({ details }) => details) }))
server.close()
