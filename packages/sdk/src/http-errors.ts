import { AskError, type AskErrorCode } from '@sandagent/core'

/** What HTTP says for each error that a client can do something about; every other one is the host's own. */
const STATUS: Partial<Record<AskErrorCode, number>> = {
  INVALID_QUESTIONS: 400,
  INVALID_ANSWERS: 400,
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  GONE: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
}

/** How much of a request's own words an error may give back: a hostile one must not multiply. */
const MAX_FAULTS = 50
const MAX_TEXT = 300

/**
 * The response for an error: its code, message and faults, and for a conflict the question as it is. An error that
 * is the host's own goes to `onError`, and says nothing of itself to the client.
 */
export function errorResponse(error: unknown, onError: (error: unknown) => void): Response {
  const status = error instanceof AskError ? STATUS[error.code] : undefined
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
