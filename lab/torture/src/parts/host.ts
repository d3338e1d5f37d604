import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnswerHandler, createAnswerHandler, toNodeHandler } from '@sandagent/sdk'
import type { Order } from '../messages.ts'
import { reportUnlessDurable } from './durable.ts'
import { keysOfRun } from './settings/keys.ts'
import { PERSON_HEADER } from './settings/names.ts'
import { farSandbox, healRelays, localSandbox } from './settings/sandboxes.ts'
import { report, settings } from './settings/settings.ts'

/** A host serves the answer API of each run at `/RUN`. A far one reaches the last run through a relay. */
export async function startHost({ isFar }: { isFar: boolean }): Promise<(order: Order) => void> {
  const last = settings.workdirs.length - 1
  const handlers = await Promise.all(
    settings.workdirs.map(async (_, run): Promise<AnswerHandler> => {
      const sandbox = isFar && run === last ? farSandbox(run) : localSandbox(run)
      return createAnswerHandler({
        sandbox,
        signingKeys: await keysOfRun(run),
        authorize: ({ headers }) => ({ answeredBy: headers.get(PERSON_HEADER) ?? 'nobody' }),
        onWarning: () => {},
        onError: () => {},
      })
    }),
  )
  const server = createServer(
    toNodeHandler(async (request) => {
      const handler = handlers[Number(new URL(request.url).pathname.slice(1))]
      if (!handler) return new Response(null, { status: 404 })
      if (request.method !== 'POST') return handler.GET(request)
      const body = await request
        .clone()
        .text()
        .catch(() => '')
      const response = await handler.POST(request)
      if (response.ok) reportUnlessDurable(JSON.parse(body))
      return response
    }),
  )
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  report({ port: (server.address() as AddressInfo).port })
  return (order) => {
    if ('heal' in order) healRelays()
  }
}
