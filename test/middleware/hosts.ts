import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createFileRunnerChannel } from '@sandagent/files'
import { listen } from '@sandagent/fixtures/listen.ts'
import { createAnswerHandler, type LocalSandbox, type NodeHandler, toNodeHandler } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import express, { type RequestHandler } from 'express'
import express4 from 'express-4'
import { apiResolver } from 'next/dist/server/api-utils/node/api-resolver.js'
import { tempSandbox } from '../support/workspace.ts'

/** Both versions of Express that people have. */
export const EXPRESSES = [
  ['Express 4', express4],
  ['Express 5', express],
] as const

export type Express = typeof express

/** A sandbox in which `toolu_1` is asked. */
export async function askingSandbox(): Promise<LocalSandbox> {
  const sandbox = await tempSandbox()
  await createFileRunnerChannel({ workdir: sandbox.workdir }).open(openRecord('toolu_1'))
  return sandbox
}

/** Serves the answer API of a sandbox behind middleware; resolves to its URL. */
export async function answersBehind(
  make: Express,
  middleware: readonly RequestHandler[],
  handler: NodeHandler | null = null,
): Promise<string> {
  const app = make()
  for (const each of middleware) app.use(each)
  app.all('/api/answer', handler ?? toNodeHandler(createAnswerHandler({ sandbox: await askingSandbox() })))
  return `${await listen(app)}/api/answer`
}

const PREVIEW = {
  previewModeId: '',
  previewModeEncryptionKey: '',
  previewModeSigningKey: '',
  dev: false,
}

/** Serves a handler as Next.js serves a file of `pages/api`: with its body parser, and below its compression. */
export const asPagesApi =
  (handler: NodeHandler, config: object = {}): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) =>
    void apiResolver(request, response, {}, { default: handler, config }, PREVIEW, false)
