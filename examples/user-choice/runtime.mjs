// An agent's runtime that calls the tool.   node examples/user-choice/runtime.mjs FOLDER
// Kill it while the choice waits and start it again: the choice is still there, and so is the answer.
import { createServer } from 'node:http'
import { createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'
import { createUserChoiceRuntime } from '@sandagent/user-choice'

const folder = process.argv[2] ?? 'user-choice-example'
const { PORT = '4000', AGENT = `http://127.0.0.1:${PORT}`, TOOL = 'http://127.0.0.1:4100' } = process.env

const runtime = await createUserChoiceRuntime({
  channel: createFileRunnerChannel({ workdir: folder }),
  storage: createLocalFiles(`${folder}.runtime`),
  callbackUrl: `${AGENT}/callback`,
  onWarning: ({ message }) => console.error(message),
})
const answers = createAnswerHandler({ sandbox: new LocalSandbox({ workdir: folder }) })

/** @param {Request} request */
const post = (request) =>
  new URL(request.url).pathname === '/callback' ? runtime.callback(request) : answers.POST(request)

const server = createServer(toNodeHandler({ GET: answers.GET, POST: post }))
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log('The runtime listens on', server.address())
  console.log(`The choices that wait: curl ${AGENT}/api/answer`)
})

const result = await runtime.invoke({
  endpoint: `${TOOL}/invoke`,
  operation: 'write_note',
  arguments: { text: 'Hello!' },
  id: 'call_1',
  groupId: 'thread_1',
})
console.log(result.text)
// Requests that came before still get their responses. An open event stream would never end by itself.
server.close()
setTimeout(() => server.closeAllConnections(), 1000).unref()
