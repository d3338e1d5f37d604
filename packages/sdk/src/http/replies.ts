import { AskError, httpStatusOf } from '@sandagent/core/internal'
import { logError } from '../answers/warnings.ts'

/** How much of a request an error may repeat: a small request must not cause a large response. */
const MAX_FAULTS = 50
const MAX_TEXT = 300

/** Words of this code and usual ids. Other words in a path come from the client and are not repeated. */
const PLAIN = /^[\w-]{0,100}$/

/** The texts of replies, which Node can send at once. */
const texts = new WeakMap<Response, string>()

export const textOf = (response: Response): string | undefined => texts.get(response)

/** A reply whose text is known. Node sends it without a web response. */
export interface TextReply {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

/** A stream is a web response. */
export type Reply = TextReply | Response

/** A reply as JSON, which nobody stores or takes for anything else. */
export const jsonText = (body: object, status = 200, headers: Record<string, string> = {}): TextReply => ({
  status,
  headers: {
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  text: JSON.stringify(body),
})

/** A reply as a web response. */
export function responseOf(reply: Reply): Response {
  if (reply instanceof Response) return reply
  const { text, ...init } = reply
  const response = new Response(text, init)
  texts.set(response, text)
  return response
}

/** {@link jsonText} as a web response. */
export const jsonReply = (...reply: Parameters<typeof jsonText>): Response => responseOf(jsonText(...reply))

/** A response without its body, if the request wants only the headers of GET. Then a stream ends before it has begun. */
export async function replyTo(request: Request, response: Response): Promise<Response> {
  if (request.method !== 'HEAD') return response
  await response.body?.cancel()
  return new Response(null, response)
}

/**
 * The response for an error. Failures of the host go to `onError`, by default `console.error`. The client learns only whether
 * to try again.
 */
export const errorResponse = (error: unknown, onError?: (error: unknown) => void): Response =>
  responseOf(errorReply(error, onError))

/** The same as a text. */
export function errorReply(error: unknown, onError: (error: unknown) => void = logError): TextReply {
  const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
  if (status === undefined || status >= 500) onError(error)
  if (!(error instanceof AskError) || status === undefined) {
    const internal = { code: 'INTERNAL', message: 'The host could not do this', faults: [] }
    return jsonText({ success: false, error: internal }, 500)
  }
  const { code, faults, facts } = error
  const { question, retryAfterMs } = facts
  const shown = faults
    .slice(0, MAX_FAULTS)
    .map(({ path, expected }) => ({ path: plainPart(path), expected: shortened(expected) }))
  // The message quotes the paths of the first faults.
  const isPlain = faults.every(({ path }) => plainPart(path) === path)
  const message = isPlain ? shortened(error.message) : 'This request has faults'
  const body = { success: false, error: { code, message, faults: shown }, question }
  if (typeof retryAfterMs !== 'number') return jsonText(body, status)
  return jsonText(body, status, { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) })
}

function plainPart(path: string): string {
  const names = path.split('.')
  const end = names.findIndex((name) => !PLAIN.test(name))
  return end === -1 ? path : names.slice(0, end).join('.')
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
