import { type AnswerableSandbox, createAnswerHandler, toNodeHandler } from '@sandagent/sdk'
import type { Express } from 'express'
import type { AnswerTimer } from './answer-timer.ts'

/** The route by which the page subscribes to questions and sends answers. */
export function addAnswerRoute(app: Express, sandbox: AnswerableSandbox, timer: AnswerTimer): void {
  const handler = createAnswerHandler({
    sandbox,
    // Everybody on this machine may answer. A real host checks its session here.
    authorize(request, { toolCallId }) {
      if (request.method === 'POST') timer.answerArrived(toolCallId)
      return true
    },
  })
  app.all('/api/answer', toNodeHandler(handler))
}
