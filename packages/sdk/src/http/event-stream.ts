import type { Clock } from '@sandagent/core'

/** How long a stream may be silent before a proxy takes it for dead, in milliseconds. */
const KEEP_ALIVE_MS = 15_000

export interface EventStreamOptions {
  clock: Clock
  /** Told why the stream broke. */
  onError: (error: unknown) => void
  /** Ends the stream. */
  signal?: AbortSignal | undefined
  /** Whole events that go before everything else. */
  opening?: string | undefined
}

/** What keeps proxies from caching, compressing and holding back a stream of events, and browsers from guessing at it. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events as bytes, produced as fast as they are read. Comments keep a silent stream open, the first of them
 * at once, and the response's headers with it. Everything is released when the reader goes.
 *
 * @param produce yields the text of whole events until its signal aborts
 */
export function eventStream(
  produce: (signal: AbortSignal) => AsyncGenerator<string, void>,
  { clock, onError, signal, opening }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const gone = new AbortController()
  const events = produce(gone.signal)
  let isRead = true
  let cancelTimer = (): void => {}
  const stop = (): void => gone.abort()
  const release = (): void => {
    isRead = false
    cancelTimer()
    signal?.removeEventListener('abort', stop)
    stop()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const keepAlive = (): void => {
        controller.enqueue(encoder.encode(': keep-alive\n\n'))
        cancelTimer = clock.after(KEEP_ALIVE_MS, keepAlive)
      }
      if (opening !== undefined) controller.enqueue(encoder.encode(opening))
      keepAlive()
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next()
        if (!isRead) return
        if (!done) return controller.enqueue(encoder.encode(value))
        release()
        controller.close()
      } catch (error) {
        release()
        onError(error)
        controller.error(error)
      }
    },
    cancel() {
      release()
      // Where it does not wait for something, but to be read on, it holds on to what it has.
      events.return().catch(onError)
    },
  })
}
