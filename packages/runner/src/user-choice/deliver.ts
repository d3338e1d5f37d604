import { type Clock, sleep } from '@sandagent/core'
import { FIRST_PAUSE_MS, longerPause } from './back-off.ts'

/** How a delivery ended. `refused` carries the status by which the receiver said that it will never take it. */
export type Delivery =
  | { kind: 'delivered' }
  | { kind: 'refused'; status: number }
  | { kind: 'unreachable' }
  | { kind: 'stopped' }

export interface DeliveryOptions {
  fetch: typeof fetch
  clock: Clock
  /** Ends the trying. */
  signal: AbortSignal
  /** How long to try, in milliseconds. */
  giveUpMs: number
}

const ATTEMPT_MS = 30_000

/**
 * Posts JSON until the receiver has it. A server's fault (5xx) and a broken connection pass, so they are met with
 * pauses that double up to a minute; any other answer is the receiver's last word. Redirects are not followed: they
 * would lead to addresses that nobody allowed.
 */
export async function deliver(
  url: string,
  body: unknown,
  { fetch, clock, signal, giveUpMs }: DeliveryOptions,
): Promise<Delivery> {
  const until = clock.now() + giveUpMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longerPause(pauseMs)) {
    if (signal.aborted) return { kind: 'stopped' }
    const status = await post(url, body, fetch, clock, signal)
    if (status !== null && status < 300) return { kind: 'delivered' }
    if (status !== null && status < 500) return { kind: 'refused', status }
    if (clock.now() + pauseMs > until) return signal.aborted ? { kind: 'stopped' } : { kind: 'unreachable' }
    await sleep(clock, pauseMs, signal)
  }
}

/** The status of the answer; `null` for none in time. */
async function post(
  url: string,
  body: unknown,
  fetch: DeliveryOptions['fetch'],
  clock: Clock,
  signal: AbortSignal,
): Promise<number | null> {
  const late = new AbortController()
  const cancelTimer = clock.after(ATTEMPT_MS, () => late.abort())
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    })
    // Nobody reads the answer, and an unread body would hold its connection.
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  } finally {
    cancelTimer()
  }
}
