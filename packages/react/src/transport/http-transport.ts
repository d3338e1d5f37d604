import {
  type AnswerStatus,
  type AnswerTransport,
  AskError,
  type Clock,
  isQuestionView,
  type StoredReply,
  type StreamReport,
  systemClock,
} from '@sandagent/core/internal'
import { browserId, randomId } from './browser-id.ts'
import { refreshPage, subscribeOnPage } from './page-subscription.ts'
import { readReply, unreachable } from './read-reply.ts'
import { onRefusal, reportRefusals } from './refusals.ts'
import { signIn, signInsAt } from './sign-in.ts'

/** A request that takes longer is aborted, so that the person can try again. */
const SEND_TIMEOUT_MS = 30_000

/** How a page reaches its answer API. */
export interface HttpTransportOptions {
  /** Where answers go. Default `/api/answer`. It may have a query. */
  answerEndpoint?: string | undefined
  /** More fields for the body of every answer. The fields of the answer win. */
  extraBody?: Record<string, unknown> | undefined
  /** Headers for every request. A function is called for each request. */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined
  /** Sends the requests. Default the page's own `fetch`. */
  fetch?: typeof fetch | undefined
  /**
   * Called when the API replies with 401. When it resolves to `true`, because the person signed in again, the request
   * is sent again. It is not called again while it runs, nor for a request that left before the person signed in.
   */
  onUnauthorized?: (() => boolean | undefined | Promise<boolean | undefined>) | undefined
  clock?: Clock | undefined
}

/** A browser sends shorter bodies even if the page is closed. Several of them may be on their way. */
const KEEPALIVE_CHARS = 8_192

/**
 * Reaches an answer API over HTTP: `createAnswerHandler` of `@sandagent/sdk`, or any route that takes
 * `{ toolCallId, questions, answers }` by POST. If the route has no event stream, `subscribe` reports nothing.
 *
 * @param options a function returns the options for each request, so that they may change
 */
export function createHttpTransport(
  options: HttpTransportOptions | (() => HttpTransportOptions) = {},
): AnswerTransport {
  const current = typeof options === 'function' ? options : () => options
  const post = async (body: string, status: AnswerStatus): Promise<StoredReply> => {
    const { clock = systemClock } = current()
    const controller = new AbortController()
    const stopTimer = clock.after(SEND_TIMEOUT_MS, () => controller.abort())
    try {
      const headers = await headersOf(current(), 'content-type', 'application/json')
      // With `keepalive` a request survives its page. Browsers refuse that for more than 64 KiB.
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
    const ids = toolCallIds.map((id) => `toolCallId=${encodeURIComponent(id)}`)
    const query = [...ids, `browser=${browserOf(current())}`].join('&')
    const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}`
    const get = async (): Promise<Response> =>
      fetchOf(current())(url, { headers: await headersOf(current(), 'accept', 'text/event-stream'), signal })
    const since = signInsAt(endpoint)
    let response = await get()
    if (response.status === 401 && (await signIn(endpoint, current().onUnauthorized, since)))
      response = await get()
    // Such a reply is for every question of the request.
    if (response.status === 401 || response.status === 403) reportRefusals(toolCallIds)
    return response
  }

  return {
    async send(answer) {
      const body = JSON.stringify({ browser: browserOf(current()), ...current().extraBody, ...answer })
      const endpoint = endpointOf(current())
      const since = signInsAt(endpoint)
      try {
        return await post(body, answer.status)
      } catch (error) {
        const isUnauthenticated = error instanceof AskError && error.code === 'UNAUTHENTICATED'
        if (!(isUnauthenticated && (await signIn(endpoint, current().onUnauthorized, since)))) throw error
        refreshPage()
        return post(body, answer.status)
      }
    },
    subscribe(toolCallId, onView, onRefused = () => {}, onPeople = () => {}) {
      const onReport = (report: StreamReport): void =>
        isQuestionView(report) ? onView(report) : onPeople(report.people)
      let stopped = false
      const stopListening = onRefusal(toolCallId, onRefused)
      let unsubscribe = (): void => {}
      const subscribe = async (): Promise<void> => {
        const { answerEndpoint, headers, fetch, clock = systemClock } = current()
        // If the headers cannot be had now, the connection asks for them again.
        const who =
          headers &&
          (await headersOf(current()).then(
            (all) => [...all],
            () => [randomId()],
          ))
        if (stopped) return
        const source = {
          name: [endpointOf({ answerEndpoint }), ...(who ?? [])].join('\n'),
          fetch: fetchOf({ fetch }),
          isSharedByTabs: isSharedByTabs({ headers, fetch }),
        }
        unsubscribe = subscribeOnPage(source, { toolCallId, connect, onReport }, clock)
      }
      void subscribe()
      return () => {
        stopped = true
        stopListening()
        unsubscribe()
      }
    },
  }
}

/** Headers or a custom `fetch` may name the person. Then each tab may belong to another person. */
const isSharedByTabs = ({ headers, fetch }: HttpTransportOptions): boolean => !headers && !fetch
const browserOf = (options: HttpTransportOptions): string => browserId(isSharedByTabs(options))
const endpointOf = ({ answerEndpoint = '/api/answer' }: HttpTransportOptions): string => answerEndpoint
const fetchOf = ({ fetch = globalThis.fetch }: HttpTransportOptions): typeof fetch => fetch

async function headersOf({ headers }: HttpTransportOptions, name = '', value = ''): Promise<Headers> {
  const all = new Headers(typeof headers === 'function' ? await headers() : headers)
  if (name) all.set(name, value)
  return all
}
