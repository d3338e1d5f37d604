import { type Clock, sleep } from '@sandagent/core/internal'
import { FIRST_PAUSE_MS, longerPause } from '../lib/back-off.ts'

/**
 * How a delivery ended. `refused` carries the status by which the receiver said that it will never take the message.
 * `uncertain` is only for messages that are sent once: the receiver may have the message, or not.
 */
export type Delivery =
  | { kind: 'delivered' }
  | { kind: 'refused'; status: number }
  | { kind: 'unreachable' }
  | { kind: 'uncertain'; status?: number }
  | { kind: 'stopped' }

export interface DeliveryOptions {
  fetch: typeof fetch
  clock: Clock
  /** Ends the trying. */
  signal: AbortSignal
  /** How long to try, in milliseconds. */
  giveUpMs: number
  /** Whether the message must not arrive twice: then it is sent again only while no connection can be made. */
  once?: boolean
  /** Called when the first attempt has failed and others follow. */
  onTrouble?: () => void
}

const ATTEMPT_MS = 30_000

/**
 * Posts JSON until the receiver has it. A server's fault (5xx) and a broken connection pass, so the message is
 * sent again after pauses that get longer. Any other reply is final. Redirects are not followed: they would lead to
 * addresses that nobody allowed.
 */
export async function deliver(url: string, body: unknown, options: DeliveryOptions): Promise<Delivery> {
  const { clock, signal, giveUpMs, once = false, onTrouble } = options
  const until = clock.now() + giveUpMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longerPause(pauseMs)) {
    if (signal.aborted) return { kind: 'stopped' }
    const attempt = await post(url, body, options)
    const { status } = attempt
    if (status !== undefined && status < 300) return { kind: 'delivered' }
    if (status !== undefined && status < 500) return { kind: 'refused', status }
    if (signal.aborted) return { kind: 'stopped' }
    if (once && attempt.isSent) return { kind: 'uncertain', ...(status !== undefined && { status }) }
    if (clock.now() + pauseMs > until) return { kind: 'unreachable' }
    if (pauseMs === FIRST_PAUSE_MS) onTrouble?.()
    await sleep(clock, pauseMs, signal)
  }
}

interface Attempt {
  /** Of the answer, if one came in time. */
  status?: number
  /** Whether a part of the message may have left this machine. */
  isSent: boolean
}

async function post(url: string, body: unknown, { fetch, clock, signal }: DeliveryOptions): Promise<Attempt> {
  const attempt = new AbortController()
  const stop = (): void => attempt.abort()
  const cancelTimer = clock.after(ATTEMPT_MS, stop)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: attempt.signal,
    })
    // Nobody reads the answer, and an unread body would hold its connection.
    await response.body?.cancel()
    return { status: response.status, isSent: true }
  } catch (error) {
    return { isSent: !isUnconnected(error) }
  } finally {
    cancelTimer()
    signal.removeEventListener('abort', stop)
  }
}

/** What Node's `fetch` gives as the cause when no connection was made. */
const UNCONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

function isUnconnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && UNCONNECTED.has(String(cause.code))
}
