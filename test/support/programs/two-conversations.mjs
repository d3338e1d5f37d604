// A runtime with one call in each of two conversations. Both calls have the same id and the same arguments.
import { createServer } from 'node:http'
import { createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'
import { createUserChoiceRuntime } from '@sandagent/user-choice'

const folder = process.argv[2] ?? ''
const { AGENT = '', TOOL = '' } = process.env

const runtime = await createUserChoiceRuntime({
  channel: createFileRunnerChannel({ workdir: folder }),
  storage: createLocalFiles(`${folder}.runtime`),
  callbackUrl: `${AGENT}/callback`,
})
const answers = createAnswerHandler({ sandbox: new LocalSandbox({ workdir: folder }) })

/** @param {Request} request */
const post = (request) =>
  new URL(request.url).pathname === '/callback' ? runtime.callback(request) : answers.POST(request)

const server = createServer(toNodeHandler({ GET: answers.GET, POST: post }))
server.listen(0, '127.0.0.1', () => console.log('The runtime listens on', server.address()))

await Promise.all(
  ['thread_1', 'thread_2'].map(async (groupId) => {
    const result = await runtime.invoke({
      endpoint: `${TOOL}/invoke`,
      operation: 'write_note',
      arguments: { text: 'Hello!' },
      id: 'call_1',
      groupId,
    })
    console.log(`${groupId}: ${result.text}`)
  }),
)
// Requests that came before still get their responses. An open event stream would never end by itself.
server.close()
setTimeout(() => server.closeAllConnections(), 1000).unref()
