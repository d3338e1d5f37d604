import { AskError, createAnswerHandler, type Sandbox, toNodeHandler } from '@sandagent/sdk'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { createAnswerTimer } from './answer-timer.ts'
import { createChat } from './chat.ts'
import { inspect } from './inspect.ts'
import { listFiles } from './list-files.ts'
import { loopbackOnly } from './loopback-only.ts'

export interface DemoOptions {
  sandbox: Sandbox
  /** The path of the file that the scripted agent follows. */
  scenario: string
  /** The folder of the built page. */
  page: string
}

/** The demo's routes. `close` resolves when every agent that they started is gone. */
export function createDemo({ sandbox, scenario, page }: DemoOptions): {
  app: Express
  close(): Promise<void>
} {
  const app = express()
  const timer = createAnswerTimer(sandbox)
  const chat = createChat({ sandbox, scenario })

  app.disable('x-powered-by')
  app.use(loopbackOnly)
  app.post('/api/chat', express.json({ limit: '4mb' }), chat.handle)
  app.all(
    '/api/answer',
    toNodeHandler(
      createAnswerHandler({
        sandbox,
        // Everybody on this machine may answer; a real host looks at its session here.
        authorize(request, { toolCallId }) {
          if (request.method === 'POST') timer.answerArrived(toolCallId)
          return true
        },
      }),
    ),
  )
  app.get('/api/files', async (request, response) => {
    const { path } = request.query
    if (typeof path !== 'string') return void response.json(await listFiles(sandbox))
    const text = await sandbox.files.read(path)
    if (text === null) response.sendStatus(404)
    else response.type('text/plain').send(text)
  })
  app.get('/api/inspector', async (request, response) => {
    response.json(await inspect(sandbox, timer, String(request.query.toolCallId)))
  })
  app.use(express.static(page))
  app.use(refuse)

  return {
    app,
    async close() {
      timer.close()
      await chat.close()
    },
  }
}

/** Tells what is wrong with a request; Express tells the rest. */
const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof AskError) response.status(400).send(error.message)
  else next(error)
}
