import { Readable } from 'node:stream'
import {
  createAnswerHandler,
  LocalSandbox,
  RUN_STREAM_HEADERS,
  startRun,
  streamRun,
  toNodeHandler,
} from '@sandagent/sdk'
import express from 'express'

const sandbox = new LocalSandbox({ workdir: 'workspace' })
const app = express()

// Pages read questions and send answers here.
app.all('/api/answer', toNodeHandler(createAnswerHandler({ sandbox })))

// Starts the agent in its folder, and streams its messages.
app.post('/api/chat', async (_request, response) => {
  const { runId } = await startRun(sandbox, {
    agent: 'command',
    args: ['--', 'node', 'agent.mjs'],
    prompt: 'Deploy',
  })
  response.writeHead(200, { ...RUN_STREAM_HEADERS })
  Readable.fromWeb(await streamRun(sandbox, runId)).pipe(response)
})

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error
  console.log('Listening on', server.address())
})
