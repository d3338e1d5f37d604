import { createAnswerHandler, type LocalSandbox, toNodeHandler } from '@sandagent/sdk'
import type { Express } from 'express'
import type { AnswerTimer } from './answer-timer.ts'

/** Where the page follows questions and sends answers. */
export function addAnswerRoute(app: Express, sandbox: LocalSandbox, timer: AnswerTimer): void {
  const handler = createAnswerHandler({
    sandbox,
    // Everybody on this machine may answer; a real host looks at its session here.
    authorize(request, { toolCallId }) {
      if (request.method === 'POST') timer.answerArrived(toolCallId)
      return true
    },
  })
  app.all('/api/answer', toNodeHandler(handler))
}
