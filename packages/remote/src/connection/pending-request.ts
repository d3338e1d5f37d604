import { AskError, parseWith } from '@sandagent/core/internal'
import { CALLS, type CallName, type Calls } from '../protocol/calls.ts'
import { ACKNOWLEDGE_BYTES, EVENT_WINDOW_BYTES } from '../protocol/limits.ts'

export interface CallOptions<N extends CallName> {
  /** Cancels the request, which then rejects. */
  signal?: AbortSignal | undefined
  /** Called with each event. The relay waits when too many of the returned promises are pending. */
  onEvent?: ((event: Calls[N]['event']) => void | Promise<void>) | undefined
  /** Called when the request is sent again. Its events come again then. */
  onAgain?: (() => void) | undefined
  /** It waits for something to happen: it may take any time, and waits for the connection as long as it takes. */
  isWaiting?: boolean | undefined
  /** How long it may take, in milliseconds. Default: two minutes; any time for one that waits. */
  timeoutMs?: number | undefined
  /** It ends with its connection. After its first event it may take any time. */
  isOnce?: boolean | undefined
}

/** A request, and a way to send inputs after it. */
export interface Request<N extends CallName> {
  value: Promise<Calls[N]['value']>
  send(input: unknown): void
  /** From now on it has the time of any request, also if it has had its first event. */
  hurry(): void
}

export interface PendingRequest {
  id: number
  call: CallName
  args: unknown
  isSent: boolean
  isReplied: boolean
  isWaiting: boolean
  isOnce: boolean
  /** The sizes of the events that came and were not yet taken, and of those that were taken and not yet acknowledged. */
  ahead: number
  taken: number
  cancelTimer(): void
  onEvent(event: unknown): void | Promise<void>
  onAgain(): void
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Sets the counts back, because the request is sent again. */
export function beginAgain(request: PendingRequest): void {
  request.ahead = 0
  request.taken = 0
  request.onAgain()
}

/**
 * Passes an event on. When enough of them were taken, the relay is told so.
 *
 * @param acknowledge tells the relay how many bytes were taken; `null` once the request or its connection is over
 * @throws AskError `TOO_LARGE` for more than the relay may send, `INVALID_REQUEST` for an event of another shape
 */
export function takeEvent(
  request: PendingRequest,
  event: unknown,
  { size, acknowledge }: { size: number; acknowledge: () => ((bytes: number) => void) | null },
): void {
  request.ahead += size
  if (request.ahead > 4 * EVENT_WINDOW_BYTES)
    throw new AskError('TOO_LARGE', 'The relay sends more than it may')
  const parsed = parseWith<unknown>(CALLS[request.call].event, event, 'INVALID_REQUEST', 'An event')
  const taken = (): void => {
    const send = acknowledge()
    if (!send) return
    request.ahead -= size
    request.taken += size
    if (request.taken < ACKNOWLEDGE_BYTES) return
    send(request.taken)
    request.taken = 0
  }
  if (request.isOnce) request.cancelTimer()
  const working = request.onEvent(parsed)
  if (working instanceof Promise) working.then(taken, request.reject)
  else taken()
}

export const unanswered = (): AskError =>
  new AskError(
    'UNREACHABLE',
    'The relay in the sandbox does not reply to a request. Look whether its machine is overloaded, then try again',
  )

export const wasClosed = (): AskError =>
  new AskError('UNREACHABLE', 'This sandbox was closed by close(). Make a new one', {
    facts: { isClosed: true },
  })
