import { type Clock, type HostChannel, viewOf } from '@sandagent/core'

/** How long a stream may be silent before a proxy takes it for dead, in milliseconds. */
const KEEP_ALIVE_MS = 15_000

/**
 * Views of a question as server-sent events: one now, if anybody knows the question, and one after every change, each
 * a `data:` line of JSON. Comments keep a silent stream open. Everything is released when the client goes.
 */
export function questionStream(
  channel: HostChannel,
  toolCallId: string,
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const gone = new AbortController()
  const states = channel.changes(gone.signal, toolCallId)[Symbol.asyncIterator]()
  let cancelTimer = (): void => {}
  const release = (): void => {
    cancelTimer()
    gone.abort()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The first one goes out at once, and the response's headers with it.
      const keepAlive = (): void => {
        controller.enqueue(encoder.encode(': keep-alive\n\n'))
        cancelTimer = clock.after(KEEP_ALIVE_MS, keepAlive)
      }
      keepAlive()
    },
    async pull(controller) {
      try {
        const { done, value } = await states.next()
        if (done) return
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(viewOf(value, clock.now()))}\n\n`))
      } catch (error) {
        release()
        onError(error)
        controller.error(error)
      }
    },
    cancel: release,
  })
}
