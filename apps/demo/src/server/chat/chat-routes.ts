import express, { Router } from 'express'
import type { Chats } from './chats.ts'
import { sendStream } from './send-stream.ts'
import { chatIdIn, userMessageIn } from './user-message.ts'

/** The routes of `useChat`, of the list of chats, of the history of a chat, and of the buttons to stop and restart. */
export function chatRoutes(chats: Chats): Router {
  const router = Router()

  router.get('/chats', async (_request, response) => {
    response.json(await chats.overview())
  })
  router.post('/chat', express.json({ limit: '4mb' }), async (request, response) => {
    const message = userMessageIn(request.body)
    if (message) sendStream(response, await chats.answer(chatIdIn(request.body), message))
    else response.status(400).send('Send the messages of a chat, the last of them a text of the user')
  })
  router.get('/chat/:id', async (request, response) => {
    response.json(await chats.history(request.params.id))
  })
  router.get('/chat/:id/stream', async (request, response) => {
    const stream = await chats.resume(request.params.id)
    if (stream) sendStream(response, stream)
    else response.sendStatus(204)
  })
  router.post('/chat/:id/restart', async (request, response) => {
    await chats.restart(request.params.id)
    response.sendStatus(204)
  })
  router.post('/chat/:id/stop', async (request, response) => {
    await chats.stop(request.params.id)
    response.sendStatus(204)
  })
  router.get('/runs/:runId/stream', async (request, response) => {
    sendStream(response, await chats.replay(request.params.runId))
  })
  return router
}
