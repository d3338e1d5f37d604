import { type AnswerableSandbox, AskError, type AskErrorCode, listRuns } from '@sandagent/sdk'
import express, { type ErrorRequestHandler, type Express } from 'express'
import type { DemoAgent } from './agents.ts'
import { addAnswerRoute } from './answer-route.ts'
import { createAnswerTimer } from './answer-timer.ts'
import { chatRoutes } from './chat/chat-routes.ts'
import { createChats, stopAll } from './chat/chats.ts'
import type { DemoSandbox } from './choose-sandbox.ts'
import { inspect } from './inspect.ts'
import { listFiles } from './list-files.ts'
import { loopbackOnly } from './loopback-only.ts'

export interface DemoOptions {
  place: DemoSandbox
  /** Where people find and answer the questions. Default: in the sandbox. */
  questions?: AnswerableSandbox | undefined
  agent: DemoAgent
  /** The folder of the built page. */
  page: string
}

/** The demo's routes. `close` stops the agents, and resolves when they have ended. */
export function createDemo({ place, agent, page, questions = place.sandbox }: DemoOptions): {
  app: Express
  close(): Promise<void>
} {
  const { sandbox } = place
  const app = express()
  const timer = createAnswerTimer(questions)

  app.disable('x-powered-by')
  app.use(loopbackOnly)
  app.use('/api', chatRoutes(createChats(place, agent)))
  addAnswerRoute(app, questions, timer)
  app.get('/api/files', async (request, response) => {
    const { path } = request.query
    if (typeof path !== 'string') return void response.json(await listFiles(sandbox))
    const text = await sandbox.files.read(path)
    if (text === null) response.sendStatus(404)
    else response.type('text/plain').send(text)
  })
  app.get('/api/isolation', async (_request, response) => {
    response.json(await sandbox.activeIsolation())
  })
  app.get('/api/inspector', async (request, response) => {
    response.json(await inspect(sandbox, timer, String(request.query.toolCallId)))
  })
  app.use(express.static(page, { extensions: ['html'] }))
  app.use(refuse)

  return {
    app,
    async close() {
      timer.close()
      await stopAll(sandbox, await listRuns(sandbox))
    },
  }
}

/** Reports a faulty request in one sentence. Failures of the demo go to its own log. */
const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error)
  const status = error instanceof AskError ? (STATUSES[error.code] ?? 400) : (error.status ?? 500)
  if (status >= 500) console.error(error)
  response
    .status(status)
    .type('text/plain')
    .send(status >= 500 ? 'The demo itself failed' : error.message)
}

const STATUSES: Partial<Record<AskErrorCode, number>> = { NOT_FOUND: 404, CONFLICT: 409 }
