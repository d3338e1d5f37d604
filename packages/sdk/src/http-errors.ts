import { AskError, httpStatusOf } from '@sandagent/core'

/** How much of a request's own words an error may give back: a hostile one must not multiply. */
const MAX_FAULTS = 50
const MAX_TEXT = 300

/**
 * The response for an error: its code, message and faults, and for a conflict the question as it is. An error that
 * is the host's own goes to `onError`, and says nothing of itself to the client.
 */
export function errorResponse(error: unknown, onError: (error: unknown) => void): Response {
  const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
  if (error instanceof AskError && status !== undefined) {
    const { code, facts } = error
    const faults = error.faults
      .slice(0, MAX_FAULTS)
      .map(({ path, expected }) => ({ path: shortened(path), expected: shortened(expected) }))
    const body = {
      success: false,
      error: { code, message: shortened(error.message), faults },
      question: facts.question,
    }
    return Response.json(body, { status })
  }
  onError(error)
  const internal = { code: 'INTERNAL', message: 'The host could not do this', faults: [] }
  return Response.json({ success: false, error: internal }, { status: 500 })
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
