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

/** A reply as JSON, which nobody stores or takes for anything else. */
export function jsonReply(body: object, status = 200, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  const own = {
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
  }
  const response = new Response(text, { status, headers: { ...own, ...headers } })
  texts.set(response, text)
  return response
}

/** A response without its body, if the request wants only the headers of GET. Then a stream ends before it has begun. */
export async function replyTo(request: Request, response: Response): Promise<Response> {
  if (request.method !== 'HEAD') return response
  await response.body?.cancel()
  return new Response(null, response)
}

/**
 * The response for an error. Failures of the host go to `onError`, by default `console.error`. The client learns only whether to
 * try again.
 */
export function errorResponse(error: unknown, onError: (error: unknown) => void = logError): Response {
  const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
  if (status === undefined || status >= 500) onError(error)
  if (!(error instanceof AskError) || status === undefined) {
    const internal = { code: 'INTERNAL', message: 'The host could not do this', faults: [] }
    return jsonReply({ success: false, error: internal }, 500)
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
  if (typeof retryAfterMs !== 'number') return jsonReply(body, status)
  return jsonReply(body, status, { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) })
}

function plainPart(path: string): string {
  const names = path.split('.')
  const end = names.findIndex((name) => !PLAIN.test(name))
  return end === -1 ? path : names.slice(0, end).join('.')
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
