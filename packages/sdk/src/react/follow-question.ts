import { type Clock, isQuestionView, type QuestionView } from '@sandagent/core'
import { readEvents } from './read-events.ts'
import { parseObject } from './read-reply.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** Silence after which a connection counts as dead: several keep-alives of the host. A phone that slept needs it. */
const SILENCE_MS = 60_000

/**
 * Follows a question over an event stream of its views. A broken connection is made again, after pauses that grow;
 * an API that has no such stream is left alone. The returned function ends all of it.
 */
export function followQuestion(
  connect: (signal: AbortSignal) => Promise<Response>,
  onView: (view: QuestionView) => void,
  clock: Clock,
): () => void {
  let stopped = false
  let leave = (): void => {}

  const run = async (): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !stopped; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const next = await listen(() => {
        pauseMs = FIRST_PAUSE_MS
      })
      if (next === 'leave alone' || stopped) return
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
  const listen = async (onSuccess: () => void): Promise<'again' | 'leave alone'> => {
    const controller = new AbortController()
    const hangUp = (): void => controller.abort()
    let stopTimer = clock.after(SILENCE_MS, hangUp)
    leave = hangUp
    try {
      const response = await connect(controller.signal)
      const events = await eventsOf(response)
      if (typeof events === 'string') return events
      for await (const data of readEvents(events, () => {
        stopTimer()
        stopTimer = clock.after(SILENCE_MS, hangUp)
      })) {
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
async function eventsOf(response: Response): Promise<ReadableStream<Uint8Array> | 'again' | 'leave alone'> {
  if (response.ok) {
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    return isStream && response.body ? response.body : 'leave alone'
  }
  if (response.status === 404) {
    // The page may know of a question before its record is written; a route that is not there says less than that.
    const { error } = parseObject(await response.text())
    return (error as { code?: unknown } | undefined)?.code === 'NOT_FOUND' ? 'again' : 'leave alone'
  }
  const isPassing = response.status === 429 || (response.status >= 500 && response.status !== 501)
  return isPassing ? 'again' : 'leave alone'
}
