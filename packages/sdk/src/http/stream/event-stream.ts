import type { Clock } from '@sandagent/core'

/** How long a stream may be silent, in milliseconds. Proxies close streams that are silent for longer. */
const KEEP_ALIVE_MS = 15_000

export interface EventStreamOptions {
  clock: Clock
  /** Called when the stream breaks. */
  onError: (error: unknown) => void
  /** Ends the stream. */
  signal?: AbortSignal | undefined
  /** A whole event to send first, before any comment: it tells pages what the stream can do. */
  opening?: string | undefined
}

/** Proxies must not cache, compress or delay a stream of events, and browsers must not guess its type. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': 'no',
}

/**
 * Streams server-sent events as bytes, as fast as they are read. Comments keep a silent stream open.
 *
 * @param produce yields whole events, as text or bytes, until its signal aborts
 */
export function eventStream(
  produce: (signal: AbortSignal) => AsyncGenerator<string | Uint8Array, void>,
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
        if (!done) return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
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
      // The generator may wait at a `yield`. Then only `return()` makes it release what it holds.
      events.return().catch(onError)
    },
  })
}
