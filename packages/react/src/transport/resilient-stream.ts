import { type Clock, isQuestionView, type QuestionView } from '@sandagent/core/internal'
import { readEvents } from './read-events.ts'
import { parseObject } from './read-reply.ts'
import { refusedIn, reportRefusals } from './refusals.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** Silence after which a connection counts as dead: several keep-alives of the host. A phone that slept needs it. */
const SILENCE_MS = 60_000

/** What to do without an event stream. */
type NoStream = 'again' | 'leave alone' | 'one by one'

export interface ConnectionOptions {
  connect: (signal: AbortSignal) => Promise<Response>
  onView: (view: QuestionView) => void
  /** Of a connection for several questions: called, at its end, when the host cannot follow them over one. */
  onOneByOne?: (() => void) | undefined
  clock: Clock
}

/**
 * Holds a connection to an event stream of views. A broken one is made again, after pauses that grow; an API that has
 * no such stream is left alone. The returned function ends all of it.
 */
export function keepConnected({ connect, onView, onOneByOne, clock }: ConnectionOptions): () => void {
  let stopped = false
  let leave = (): void => {}

  const run = async (): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !stopped; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const next = await listen(() => {
        pauseMs = FIRST_PAUSE_MS
      })
      if (stopped || next === 'leave alone') return
      if (next === 'one by one') return onOneByOne?.()
      await new Promise<void>((resolve) => {
        const cancel = clock.after(pauseMs, resolve)
        leave = () => {
          cancel()
          resolve()
        }
      })
    }
  }

  /** One connection, from its beginning to its end. */
  const listen = async (onSuccess: () => void): Promise<NoStream> => {
    const controller = new AbortController()
    const hangUp = (): void => controller.abort()
    let stopTimer = clock.after(SILENCE_MS, hangUp)
    leave = hangUp
    try {
      const response = await connect(controller.signal)
      const events = await eventsOf(response, onOneByOne !== undefined)
      if (typeof events === 'string') return events
      // A host that follows several questions begins by saying so; an older one looks at the first of them alone.
      let isUnderstood = onOneByOne === undefined
      for await (const { event, data } of readEvents(events, () => {
        stopTimer()
        stopTimer = clock.after(SILENCE_MS, hangUp)
      })) {
        isUnderstood ||= event === 'following'
        if (event === 'following') reportRefusals(refusedIn(parseObject(data)))
        if (!isUnderstood) return 'one by one'
        if (data === '') continue
        const view = parseObject(data)
        if (!stopped && isQuestionView(view)) onView(view)
        onSuccess()
      }
    } catch {
      // Unreachable, broken off or hung up: all of them are told by the end of the connection.
    } finally {
      stopTimer()
      hangUp()
    }
    return 'again'
  }

  void run()
  return () => {
    stopped = true
    leave()
  }
}

/** The event stream of a response, or what to do about its absence. */
async function eventsOf(
  response: Response,
  isForSeveral: boolean,
): Promise<ReadableStream<Uint8Array> | NoStream> {
  const { ok, status, body } = response
  if (ok) {
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    return isStream && body ? body : 'leave alone'
  }
  if (status === 404) {
    // The page may know of a question before its record is written; a route that is not there says less than that.
    const { error } = parseObject(await response.text())
    return (error as { code?: unknown } | undefined)?.code === 'NOT_FOUND' ? 'again' : 'leave alone'
  }
  if (status === 429 || (status >= 500 && status !== 501)) return 'again'
  // It may be one question alone that is refused.
  return isForSeveral && [400, 401, 403].includes(status) ? 'one by one' : 'leave alone'
}
