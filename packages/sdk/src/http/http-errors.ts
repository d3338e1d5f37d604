import { AskError, httpStatusOf } from '@sandagent/core/internal'
import { logError } from '../answers/warnings.ts'

/** How much of a request an error may repeat: a small request must not cause a large response. */
const MAX_FAULTS = 50
const MAX_TEXT = 300

/** Words of this code and usual ids. Other words in a path come from the client and are not repeated. */
const PLAIN = /^[\w-]{0,100}$/

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * The response for an error. Failures of the host go to `onError`, by default `console.error`. The client learns only whether to
 * try again.
 */
export function errorResponse(error: unknown, onError: (error: unknown) => void = logError): Response {
  const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
  if (!(error instanceof AskError) || status === undefined) {
    onError(error)
    const internal = { code: 'INTERNAL', message: 'The host could not do this', faults: [] }
    return Response.json({ success: false, error: internal }, { status: 500, headers: HEADERS })
  }
  if (status >= 500) onError(error)
  const { code, facts } = error
  const faults = error.faults
    .slice(0, MAX_FAULTS)
    .map(({ path, expected }) => ({ path: plainPart(path), expected: shortened(expected) }))
  // The message quotes the paths of the first faults.
  const isPlain = error.faults.every(({ path }) => plainPart(path) === path)
  const message = isPlain ? shortened(error.message) : 'This request has faults'
  const body = { success: false, error: { code, message, faults }, question: facts.question }
  const { retryAfterMs } = facts
  const retry =
    typeof retryAfterMs === 'number' ? { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } : {}
  return Response.json(body, { status, headers: { ...HEADERS, ...retry } })
}

function plainPart(path: string): string {
  const names = path.split('.')
  const end = names.findIndex((name) => !PLAIN.test(name))
  return end === -1 ? path : names.slice(0, end).join('.')
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
