import { type AnswerTransport, type Clock, systemClock } from '@sandagent/core'
import { followQuestion } from './follow-question.ts'
import { readReply, unreachable } from './read-reply.ts'
import { type Follow, shareFollow } from './share-follow.ts'

/** How a page reaches its answer API. */
export interface HttpTransportOptions {
  /** Where answers go. Default `/api/answer`. A query of its own is kept. */
  answerEndpoint?: string | undefined
  /** Goes into the body of every answer beside the fields of the answer, which win. */
  extraBody?: Record<string, unknown> | undefined
  /** Go with every request. */
  headers?: HeadersInit | undefined
  /** Sends the requests. Default the page's own `fetch`. */
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
}

/** A request that takes longer is given up, so that the person can try again. */
const SEND_TIMEOUT_MS = 30_000

/**
 * Talks with an answer API over HTTP: `createAnswerHandler` of `@sandagent/sdk`, or any route that takes
 * `{ toolCallId, questions, answers }` by POST. Where the route has no event stream, `watch` stays silent.
 */
export function httpTransport(options: HttpTransportOptions = {}): AnswerTransport {
  const {
    answerEndpoint = '/api/answer',
    extraBody,
    headers,
    fetch = globalThis.fetch,
    clock = systemClock,
  } = options
  return {
    async send(submission) {
      const controller = new AbortController()
      const stopTimer = clock.after(SEND_TIMEOUT_MS, () => controller.abort())
      try {
        const response = await fetch(answerEndpoint, {
          method: 'POST',
          headers: withHeader(headers, 'content-type', 'application/json'),
          body: JSON.stringify({ ...extraBody, ...submission }),
          signal: controller.signal,
        }).catch((cause) => {
          throw unreachable('The answer API cannot be reached', cause)
        })
        return await readReply(response)
      } finally {
        stopTimer()
      }
    },
    watch(toolCallId, onView) {
      const separator = answerEndpoint.includes('?') ? '&' : '?'
      const url = `${answerEndpoint}${separator}toolCallId=${encodeURIComponent(toolCallId)}`
      const accept = withHeader(headers, 'accept', 'text/event-stream')
      const follow: Follow = (report) =>
        followQuestion((signal) => fetch(url, { headers: accept, signal }), report, clock)
      // Headers may say who asks, and each tab may be another person's.
      return headers ? follow(onView) : shareFollow(`sandagent ${url}`, follow, onView, clock)
    },
  }
}

function withHeader(headers: HeadersInit | undefined, name: string, value: string): Headers {
  const all = new Headers(headers)
  all.set(name, value)
  return all
}
