import { backOffMs, type Clock, readServerEvents } from '@sandagent/core/internal'
import { parseObject } from './read-reply.ts'
import { refusedIn, reportRefusals } from './refusals.ts'

/** A stream that stays silent this long is dead: hosts send several signs of life in that time. */
const STREAM_SILENCE_MS = 60_000

/** What to do without an event stream. */
type NoStream = 'retry' | 'give up' | 'one by one'

export interface ResilientStreamOptions {
  connect: (signal: AbortSignal) => Promise<Response>
  /** Called with the name and the object of each event. */
  onEvent: (event: string, data: Record<string, unknown>) => void
  /** For a stream of several questions: called if the host cannot send them over one stream. */
  onOneByOne?: (() => void) | undefined
  clock: Clock
}

/**
 * Keeps an event stream open. It opens a broken stream again, after pauses that grow. It gives up if the API
 * has no such stream. The returned function closes it.
 */
export function keepStreamOpen({ connect, onEvent, onOneByOne, clock }: ResilientStreamOptions): () => void {
  let stopped = false
  let interrupt = (): void => {}

  const run = async (): Promise<void> => {
    for (let failures = 1; !stopped; failures++) {
      const next = await listen(() => {
        failures = 1
      })
      if (stopped || next === 'give up') return
      if (next === 'one by one') return onOneByOne?.()
      await new Promise<void>((resolve) => {
        const cancel = clock.after(backOffMs(failures, 500, 15_000), resolve)
        interrupt = () => {
          cancel()
          resolve()
        }
      })
    }
  }

  /** Reads one connection until it ends, and says what to do next. */
  const listen = async (onSuccess: () => void): Promise<NoStream> => {
    const controller = new AbortController()
    const hangUp = (): void => controller.abort()
    let stopTimer = clock.after(STREAM_SILENCE_MS, hangUp)
    interrupt = hangUp
    try {
      const response = await connect(controller.signal)
      const events = await eventsOf(response, onOneByOne !== undefined)
      if (typeof events === 'string') return events
      // A host that knows several questions per stream says so first. An older one reads the first question alone.
      let isUnderstood = onOneByOne === undefined
      for await (const { event, data } of readServerEvents(events, () => {
        stopTimer()
        stopTimer = clock.after(STREAM_SILENCE_MS, hangUp)
      })) {
        if (event === 'following') {
          isUnderstood = true
          reportRefusals(refusedIn(parseObject(data)))
        }
        if (!isUnderstood) return 'one by one'
        if (data === '') continue
        if (!stopped) onEvent(event, parseObject(data))
        onSuccess()
      }
    } catch {
      // Unreachable, broken or aborted: in each case the connection has ended.
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

/** The event stream of a response, or what to do without one. */
async function eventsOf(
  response: Response,
  isForSeveral: boolean,
): Promise<ReadableStream<Uint8Array> | NoStream> {
  const { ok, status, body, headers, url } = response
  if (ok) {
    const type = headers.get('content-type')
    if (body && type?.startsWith('text/event-stream')) return body
    console.warn(`This is no event stream: ${url} replied with ${type}`)
    return 'give up'
  }
  if (status === 404) {
    // The page may know a question before its record is written: then the route says NOT_FOUND. A missing route does not.
    const { error } = parseObject(await response.text())
    return (error as { code?: unknown } | undefined)?.code === 'NOT_FOUND' ? 'retry' : 'give up'
  }
  if (status === 429 || (status >= 500 && status !== 501)) return 'retry'
  // The host may reject only one of the questions.
  return isForSeveral && [400, 401, 403].includes(status) ? 'one by one' : 'give up'
}
