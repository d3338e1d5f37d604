import { AskError, httpStatusOf } from '@sandagent/core/internal'

/** How much of a request's own words an error may give back: a hostile one must not multiply. */
const MAX_FAULTS = 50
const MAX_TEXT = 300

/** Words of ours and ids as they are usual. Other words in a path are the client's own, and stay away from its reply. */
const PLAIN = /^[\w-]{0,100}$/

/** No copy is kept, and no browser takes it for anything but JSON. */
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * The response for an error: its code, message and faults, and for a conflict the question as it is. An error that
 * is the host's own goes to `onError`. It says nothing of itself to the client, unless trying again may help.
 */
export function errorResponse(error: unknown, onError: (error: unknown) => void): Response {
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
  // A message lists the first faults with their paths.
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
