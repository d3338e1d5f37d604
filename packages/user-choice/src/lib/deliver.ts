import { backOffMs, type Clock, sleep } from '@sandagent/core/internal'

/**
 * How a delivery ended. `refused`: the receiver will never take the message. `uncertain`, only with `once`: the receiver
 * may have the message.
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
  signal: AbortSignal
  /** How long to try, in milliseconds. */
  giveUpMs: number
  /** The message must not arrive twice. It is sent again only if no connection was made. */
  once?: boolean
  /** Called when the first attempt has failed and others follow. */
  onTrouble?: () => void
}

const ATTEMPT_MS = 30_000

/**
 * Posts JSON until the receiver has it. After a 5xx status or a broken connection it tries again, with longer and longer
 * pauses. Any other status is final. Redirects are not followed, because they lead to URLs that nobody allowed.
 */
export async function deliver(url: string, body: unknown, options: DeliveryOptions): Promise<Delivery> {
  const { clock, signal, giveUpMs, once = false, onTrouble } = options
  const until = clock.now() + giveUpMs
  for (let failures = 1; ; failures++) {
    if (signal.aborted) return { kind: 'stopped' }
    const { status, isSent } = await post(url, body, options)
    if (status !== undefined && status < 300) return { kind: 'delivered' }
    if (status !== undefined && status < 500) return { kind: 'refused', status }
    if (signal.aborted) return { kind: 'stopped' }
    if (once && isSent) return { kind: 'uncertain', ...(status !== undefined && { status }) }
    const pauseMs = backOffMs(failures)
    if (clock.now() + pauseMs > until) return { kind: 'unreachable' }
    if (failures === 1) onTrouble?.()
    await sleep(clock, pauseMs, signal)
  }
}

/** `isSent`: whether a part of the message may have left this machine. */
async function post(
  url: string,
  body: unknown,
  { fetch, clock, signal }: DeliveryOptions,
): Promise<{ status?: number; isSent: boolean }> {
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
    // An unread body would hold the connection.
    await response.body?.cancel()
    return { status: response.status, isSent: true }
  } catch (error) {
    return { isSent: !isUnconnected(error) }
  } finally {
    cancelTimer()
  }
}

/** Codes of Node's `fetch` when no connection was made. */
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
