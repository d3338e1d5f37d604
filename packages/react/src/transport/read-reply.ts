import {
  type AnswerStatus,
  AskError,
  type AskErrorCode,
  type Fault,
  isQuestionView,
} from '@sandagent/core/internal'

/** The error for an answer API that gave no usable reply. */
export const unreachable = (message: string, cause?: unknown): AskError =>
  new AskError('UNREACHABLE', message, { cause })

/**
 * Reads what an answer API says to a POST of this status: the revision of what it stored, where it tells.
 *
 * @throws AskError `CANNOT_DECLINE` for a refusal that it does not name in its reply; the refusal with its code, and the question's view under `facts.question`; `UNREACHABLE` for
 *   everything that no answer API says.
 */
export async function readReply(response: Response, status?: AnswerStatus): Promise<{ revision?: number }> {
  const text = await response.text().catch((cause) => {
    throw unreachable('The reply broke off', cause)
  })
  const reply = parseObject(text)
  if (!response.ok || reply.success === false) throw refusal(response.status, reply)
  // A sign-in page that a redirect led to is no receipt.
  if (/^\s*</.test(text)) throw unreachable('This is no answer API: it replied with a page')
  // A host that knows no refusals takes one for a draft without answers, and its agent waits on.
  if (status === 'declined' && reply.status !== status)
    throw new AskError('CANNOT_DECLINE', 'At this host, questions cannot be declined: the agent still waits')
  return typeof reply.revision === 'number' ? { revision: reply.revision } : {}
}

/** The code of a refusal by status, for APIs that say no more. */
const CODES: Readonly<Record<number, readonly AskErrorCode[]>> = {
  400: ['INVALID_REQUEST', 'INVALID_ANSWERS', 'INVALID_QUESTIONS'],
  401: ['UNAUTHENTICATED', 'LINK_INVALID', 'LINK_EXPIRED'],
  403: ['FORBIDDEN', 'CROSS_SITE', 'WRONG_HOST'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT', 'CHANGED'],
  410: ['GONE', 'LINK_USED'],
  413: ['TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  429: ['RATE_LIMITED'],
}

function refusal(status: number, reply: Record<string, unknown>): AskError {
  const error = isObject(reply.error) ? reply.error : { message: reply.error }
  const codes = CODES[status] ?? ['UNREACHABLE']
  const code = codes.find((known) => known === error.code) ?? codes[0] ?? 'UNREACHABLE'
  const message = typeof error.message === 'string' ? error.message : `The answer API replied with ${status}`
  return new AskError(code, message, {
    faults: Array.isArray(error.faults) ? error.faults.filter(isFault) : [],
    facts: { status, ...(isQuestionView(reply.question) && { question: reply.question }) },
  })
}

const isFault = (value: unknown): value is Fault =>
  isObject(value) && typeof value.path === 'string' && typeof value.expected === 'string'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The object in a JSON text; anything else is an empty one. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
