import { AskError, parseWith, routeOf } from '@sandagent/core/internal'
import { errorResponse, readJsonBody, type WebHandler } from '@sandagent/sdk'
import * as v from 'valibot'
import type { EndpointCheck } from './endpoint.ts'
import { parseSubscription } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

interface HandlerOptions extends EndpointCheck {
  subscriptions: Subscriptions
  publicKey: string
  personIn: (request: Request) => Promise<string>
  onError: ((error: unknown) => void) | undefined
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** The routes by which a browser subscribes. Each checks who asks. */
export function createWebPushHandler({
  subscriptions,
  publicKey,
  personIn,
  onError,
  allowLoopback,
}: HandlerOptions): WebHandler {
  const routes: Readonly<Record<string, (person: string, request: Request) => Promise<object>>> = {
    'GET key': async () => ({ publicKey }),
    'POST subscribe': async (person, request) => {
      await subscriptions.add(person, parseSubscription(await readJsonBody(request), { allowLoopback }))
      return { success: true }
    },
    'POST unsubscribe': async (_, request) => {
      await subscriptions.remove(endpointIn(await readJsonBody(request)))
      return { success: true }
    },
  }
  return async (request) => {
    const { method, name } = routeOf(request)
    try {
      const person = await personIn(request)
      const [allowed] = Object.keys(routes).flatMap((key) => (key.endsWith(` ${name}`) ? key.split(' ') : []))
      if (allowed === undefined) throw new AskError('NOT_FOUND', 'Notices have no such route')
      const route = routes[`${method} ${name}`]
      if (route) return Response.json(await route(person, request), { headers: HEADERS })
      return new Response(null, {
        status: 405,
        headers: { allow: allowed === 'GET' ? 'GET, HEAD' : allowed },
      })
    } catch (error) {
      return errorResponse(error, onError)
    }
  }
}

/** @throws AskError `INVALID_REQUEST` */
const endpointIn = (body: unknown): string =>
  parseWith(v.object({ endpoint: v.string() }), body, 'INVALID_REQUEST', 'This names no subscription')
    .endpoint
