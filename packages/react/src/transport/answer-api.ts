import { type Clock, systemClock } from '@sandagent/core/internal'
import { browserId, randomId } from './browser-id.ts'
import { type Subscriber, subscribeOnPage } from './page-subscription.ts'
import { type Connect, type OpenStream, openQuestionStream } from './question-stream.ts'
import { signIn, signInsAt } from './sign-in.ts'

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

/** Returns the options of the moment: they may change. */
export type CurrentOptions = () => HttpTransportOptions

/** Opens event streams of the questions with these ids, or of all that wait if there is none. */
export const connectTo =
  (current: CurrentOptions): Connect =>
  async (toolCallIds, signal) => {
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
    return response
  }

/** Subscribes to a stream of the API that the page shares, until the returned function is called. */
export function subscribeTo(
  current: CurrentOptions,
  subscriber: Subscriber,
  openStream: OpenStream = openQuestionStream,
  kind = '',
): () => void {
  let stopped = false
  let unsubscribe = (): void => {}
  const subscribe = async (): Promise<void> => {
    const options = current()
    // If the headers cannot be had now, the connection asks for them again.
    const who =
      options.headers &&
      (await headersOf(options).then(
        (all) => [...all],
        () => [randomId()],
      ))
    if (stopped) return
    const source = {
      name: [kind + endpointOf(options), ...(who ?? [])].join('\n'),
      fetch: fetchOf(options),
      isSharedByTabs: isSharedByTabs(options),
      openStream,
    }
    unsubscribe = subscribeOnPage(source, subscriber, options.clock ?? systemClock)
  }
  void subscribe()
  return () => {
    stopped = true
    unsubscribe()
  }
}

/** Headers or a custom `fetch` may name the person. Then each tab may belong to another person. */
const isSharedByTabs = ({ headers, fetch }: HttpTransportOptions): boolean => !headers && !fetch

export const browserOf = (options: HttpTransportOptions): string => browserId(isSharedByTabs(options))

export const endpointOf = ({ answerEndpoint = '/api/answer' }: HttpTransportOptions): string => answerEndpoint

export const fetchOf = ({ fetch = globalThis.fetch }: HttpTransportOptions): typeof fetch => fetch

export async function headersOf({ headers }: HttpTransportOptions, name = '', value = ''): Promise<Headers> {
  const all = new Headers(typeof headers === 'function' ? await headers() : headers)
  if (name) all.set(name, value)
  return all
}
