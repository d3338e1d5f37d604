import { type AnswerStatus, type AnswerTransport, AskError, type Clock, systemClock } from '@sandagent/core'
import { followOnPage, refreshPage } from './follow-on-page.ts'
import { readReply, unreachable } from './read-reply.ts'
import { onRefusal, reportRefusals } from './refusals.ts'
import { signIn } from './sign-in.ts'

/** How a page reaches its answer API. */
export interface HttpTransportOptions {
  /** Where answers go. Default `/api/answer`. A query of its own is kept. */
  answerEndpoint?: string | undefined
  /** Goes into the body of every answer beside the fields of the answer, which win. */
  extraBody?: Record<string, unknown> | undefined
  /** Go with every request; a function is asked anew for each. */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined
  /** Sends the requests. Default the page's own `fetch`. */
  fetch?: typeof fetch | undefined
  /**
   * Called when the API says 401. Once it has resolved to `true`, because the person signed in again, the request is
   * sent once more. While it is busy it is not called again.
   */
  onUnauthorized?: (() => boolean | undefined | Promise<boolean | undefined>) | undefined
  clock?: Clock | undefined
}

/** A request that takes longer is given up, so that the person can try again. */
const SEND_TIMEOUT_MS = 30_000

/** Bodies that are shorter reach the host even from a page that is closed; several of them may be on their way. */
const KEEPALIVE_CHARS = 8 * 1024

/**
 * Talks with an answer API over HTTP: `createAnswerHandler` of `@sandagent/sdk`, or any route that takes
 * `{ toolCallId, questions, answers }` by POST. Where the route has no event stream, `watch` stays silent.
 */
export const httpTransport = (options: HttpTransportOptions = {}): AnswerTransport =>
  lazyHttpTransport(() => options)

/** {@link httpTransport} with options that may change: each request takes those of its time. */
export function lazyHttpTransport(current: () => HttpTransportOptions): AnswerTransport {
  const post = async (body: string, status: AnswerStatus): Promise<{ revision?: number }> => {
    const { clock = systemClock } = current()
    const controller = new AbortController()
    const stopTimer = clock.after(SEND_TIMEOUT_MS, () => controller.abort())
    try {
      const headers = await headersOf(current(), 'content-type', 'application/json')
      // A small one may outlive the page that sends it; of more than 64 KiB a browser would refuse that.
      const keepalive = body.length < KEEPALIVE_CHARS
      const request = { method: 'POST', headers, body, keepalive, signal: controller.signal }
      const response = await fetchOf(current())(endpointOf(current()), request).catch((cause) => {
        throw unreachable('The answer API cannot be reached', cause)
      })
      return await readReply(response, status)
    } finally {
      stopTimer()
    }
  }

  const connect = async (toolCallIds: readonly string[], signal: AbortSignal): Promise<Response> => {
    const endpoint = endpointOf(current())
    const query = toolCallIds.map((id) => `toolCallId=${encodeURIComponent(id)}`).join('&')
    const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}`
    const get = async (): Promise<Response> =>
      fetchOf(current())(url, { headers: await headersOf(current(), 'accept', 'text/event-stream'), signal })
    let response = await get()
    if (response.status === 401 && (await signIn(current()))) response = await get()
    // Such a reply refuses every question that was asked for.
    if (response.status === 401 || response.status === 403) reportRefusals(toolCallIds)
    return response
  }

  return {
    async send(submission) {
      const body = JSON.stringify({ ...current().extraBody, ...submission })
      try {
        return await post(body, submission.status)
      } catch (error) {
        if (!(error instanceof AskError && error.code === 'UNAUTHENTICATED' && (await signIn(current()))))
          throw error
        refreshPage()
        return post(body, submission.status)
      }
    },
    watch(toolCallId, onView, onRefused = () => {}) {
      let stopped = false
      const stopListening = onRefusal(toolCallId, onRefused)
      let leave = (): void => {}
      const follow = async (): Promise<void> => {
        const { answerEndpoint, headers, fetch, clock = systemClock } = current()
        // Headers that cannot be had now are asked for again with the connection.
        const who =
          headers &&
          (await headersOf(current()).then(
            (all) => [...all],
            () => [String(Math.random())],
          ))
        if (stopped) return
        const source = {
          name: [endpointOf({ answerEndpoint }), ...(who ?? [])].join('\n'),
          fetch: fetchOf({ fetch }),
          // Headers and a fetch of one's own may say who asks, and each tab may be another person's.
          isSharedByTabs: !headers && !fetch,
        }
        leave = followOnPage(source, { toolCallId, connect, onView }, clock)
      }
      void follow()
      return () => {
        stopped = true
        stopListening()
        leave()
      }
    },
  }
}

const endpointOf = ({ answerEndpoint = '/api/answer' }: HttpTransportOptions): string => answerEndpoint
const fetchOf = ({ fetch = globalThis.fetch }: HttpTransportOptions): typeof fetch => fetch

async function headersOf({ headers }: HttpTransportOptions, ...[name, value]: string[]): Promise<Headers> {
  const all = new Headers(typeof headers === 'function' ? await headers() : headers)
  if (name !== undefined && value !== undefined) all.set(name, value)
  return all
}
