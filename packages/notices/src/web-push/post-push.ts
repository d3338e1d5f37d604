import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { AskError, type AskErrorCode, withLimit } from '@sandagent/core/internal'
import webPush, { type VapidKeys } from 'web-push'
import { checkEndpoint, type EndpointCheck, lookUpPublic } from './endpoint.ts'
import type { Subscription } from './subscription.ts'

export interface PushPost extends EndpointCheck {
  vapidKeys: VapidKeys
  /** Whom a push service writes to if it has complaints: an `https:` or `mailto:` address. */
  subject: string
  /** A later message with the same topic takes the place of one that was not delivered yet. */
  topic: string
  /** How long the question still waits, in milliseconds. `null`: without end. */
  remainingMs: number | null | undefined
  /** Whether a phone that sleeps shall wake: not for a question whose agent goes on. */
  isUrgent: boolean
  signal: AbortSignal
}

/** How long a push service keeps a message for a browser that is switched off, in seconds: a day. */
const MAX_TTL_SECONDS = 24 * 60 * 60

/** How long a push service may take, in milliseconds. */
const PATIENCE_MS = 15_000

/** The subscription has ended (RFC 8030, 7.3). Nothing else says so: 403 can mean that a clock is wrong. */
const NOT_SUBSCRIBED: readonly number[] = [404, 410]

/** A message that a push service finds wrong is wrong the next time too. */
const CODES: Readonly<Record<number, AskErrorCode>> = {
  400: 'INVALID_REQUEST',
  401: 'INVALID_REQUEST',
  403: 'FORBIDDEN',
  413: 'INVALID_REQUEST',
  429: 'RATE_LIMITED',
}

/**
 * Hands an encrypted message to the push service of a browser.
 *
 * @returns false if the browser is no longer subscribed
 * @throws AskError `UNREACHABLE`, `RATE_LIMITED` with `facts.retryAfterMs`, `INVALID_REQUEST` for a message that the service
 *   does not take, `FORBIDDEN` for an endpoint that is none, and if the service refuses this host
 */
export async function postPush(
  { endpoint, keys }: Subscription,
  message: string,
  { vapidKeys, subject, topic, remainingMs, isUrgent, signal, allowLoopback }: PushPost,
): Promise<boolean> {
  const fault = checkEndpoint(endpoint, { allowLoopback })
  if (fault !== null) throw new AskError('FORBIDDEN', `A push service has ${fault}`)
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, message, {
    vapidDetails: { subject, ...vapidKeys },
    TTL: Math.min(MAX_TTL_SECONDS, Math.ceil((remainingMs ?? Number.POSITIVE_INFINITY) / 1000)),
    topic,
    urgency: isUrgent ? 'high' : 'normal',
  })
  const { status, retryAfter } = await post(endpoint, { headers, body, signal, allowLoopback })
  if (NOT_SUBSCRIBED.includes(status)) return false
  if (status >= 200 && status < 300) return true
  const retryAfterMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  const advice = status === 403 ? ': look whether the clock of this machine is right' : ''
  throw new AskError(CODES[status] ?? 'UNREACHABLE', `The push service replied with ${status}${advice}`, {
    facts: { status, retryAfterMs },
  })
}

/** `fetch` cannot be told which addresses it may connect to. Redirects are not followed. */
function post(
  endpoint: string,
  {
    headers,
    body,
    signal,
    allowLoopback,
  }: { headers: object; body: Buffer; signal: AbortSignal } & EndpointCheck,
): Promise<{ status: number; retryAfter: string }> {
  const ask = allowLoopback && endpoint.startsWith('http:') ? httpRequest : httpsRequest
  const options = {
    method: 'POST',
    headers: { ...headers },
    signal: withLimit(signal, PATIENCE_MS),
    ...(!allowLoopback && { lookup: lookUpPublic }),
  }
  return new Promise((resolve, reject) => {
    ask(endpoint, options, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? '' })
    })
      .on('error', (cause) =>
        reject(
          cause instanceof AskError
            ? cause
            : new AskError('UNREACHABLE', `The push service cannot be reached: ${cause.message}`, { cause }),
        ),
      )
      .end(body)
  })
}
