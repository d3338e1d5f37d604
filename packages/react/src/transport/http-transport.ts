import {
  type AnswerStatus,
  type AnswerTransport,
  AskError,
  isQuestionView,
  type StoredReply,
  type StreamReport,
  systemClock,
} from '@sandagent/core/internal'
import {
  browserOf,
  connectTo,
  endpointOf,
  fetchOf,
  type HttpTransportOptions,
  headersOf,
  subscribeTo,
} from './answer-api.ts'
import { refreshPage } from './page-subscription.ts'
import { readReply, unreachable } from './read-reply.ts'
import { signIn, signInsAt } from './sign-in.ts'

/** A request that takes longer is aborted, so that the person can try again. */
const SEND_TIMEOUT_MS = 30_000

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
      return subscribeTo(current, {
        toolCallId,
        connect: connectTo(current),
        onReport(report: StreamReport) {
          if ('code' in report) onRefused(new AskError(report.code, report.message))
          else if (isQuestionView(report)) onView(report)
          else onPeople(report.people)
        },
      })
    },
  }
}
