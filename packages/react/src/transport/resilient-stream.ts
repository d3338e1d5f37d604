import { type AskError, backOffMs, type Clock, readServerEvents } from '@sandagent/core/internal'
import { parseObject, rejection, unreachable } from './read-reply.ts'

/** A stream that stays silent this long is dead: hosts send several signs of life in that time. */
const STREAM_SILENCE_MS = 60_000

/** What to do without an event stream. */
type NoStream = 'retry' | 'give up' | 'one by one'

export interface ResilientStreamOptions {
  connect: (signal: AbortSignal) => Promise<Response>
  /** Called with the name and the object of each event. */
  onEvent: (event: string, data: Record<string, unknown>) => void
  /** Called when the host does not stream what is asked for, or cannot be reached. */
  onRefused: (error: AskError) => void
  /** For a stream of several questions: called if the host cannot send them over one stream. */
  onOneByOne?: (() => void) | undefined
  clock: Clock
}

/**
 * Keeps an event stream open. It opens a broken stream again, after pauses that grow. It gives up if the API
 * has no such stream. The returned function closes it.
 */
export function keepStreamOpen({
  connect,
  onEvent,
  onRefused,
  onOneByOne,
  clock,
}: ResilientStreamOptions): () => void {
  let stopped = false
  let interrupt = (): void => {}

  const refuse = (error: AskError): void => {
    if (!stopped) onRefused(error)
  }

  const run = async (): Promise<void> => {
    for (let failures = 1; !stopped; failures++) {
      const next = await listen(() => {
        failures = 1
      })
      if (stopped || next === 'give up') return
      if (next === 'one by one') return onOneByOne?.()
      await new Promise<void>((resolve) => {
        interrupt = clock.after(backOffMs(failures, 500, 15_000), resolve)
      })
    }
  }

  /** The event stream of a response, or what to do without one. */
  const eventsOf = async (response: Response): Promise<ReadableStream<Uint8Array> | NoStream> => {
    const { ok, status, body, headers, url } = response
    const type = headers.get('content-type')
    if (ok && body && type?.startsWith('text/event-stream')) return body
    if (ok) console.warn(`This is no event stream: ${url} replied with ${type}`)
    const reply = ok ? {} : parseObject(await response.text())
    const error = rejection(response, reply)
    refuse(error)
    // The page may know a question before its record is written: then the route says NOT_FOUND. A missing route does not.
    const isAwaited = status === 404 && (reply.error as { code?: unknown } | undefined)?.code === error.code
    if (isAwaited || status === 429 || (status >= 500 && status !== 501)) return 'retry'
    // The host may reject only one of the questions.
    return onOneByOne && status >= 400 && status <= 403 ? 'one by one' : 'give up'
  }

  /** Reads one connection until it ends, and says what to do next. */
  const listen = async (onSuccess: () => void): Promise<NoStream> => {
    const controller = new AbortController()
    const hangUp = (): void => controller.abort()
    let stopTimer = clock.after(STREAM_SILENCE_MS, hangUp)
    interrupt = hangUp
    try {
      const response = await connect(controller.signal)
      const events = await eventsOf(response)
      if (typeof events === 'string') return events
      // A host that knows several questions per stream says so first. An older one reads the first question alone.
      let isUnderstood = !onOneByOne
      for await (const { event, data } of readServerEvents(events, () => {
        stopTimer()
        stopTimer = clock.after(STREAM_SILENCE_MS, hangUp)
      })) {
        if (event === 'following') isUnderstood = true
        if (!isUnderstood) return 'one by one'
        if (data === '') continue
        if (!stopped) onEvent(event, parseObject(data))
        onSuccess()
      }
    } catch {
      // Unreachable, broken or aborted: in each case the connection has ended.
      refuse(unreachable('The answer API cannot be reached'))
    } finally {
      stopTimer()
      hangUp()
    }
    return 'retry'
  }

  void run()
  return () => {
    stopped = true
    interrupt()
  }
}
