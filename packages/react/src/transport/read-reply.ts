import {
  type AnswerStatus,
  AskError,
  codesOf,
  type Fault,
  isObject,
  pick,
  type StoredReply,
} from '@sandagent/core/internal'

/** The error if the answer API gave no usable reply. */
export const unreachable = (message: string, cause?: unknown): AskError =>
  new AskError('UNREACHABLE', message, { cause })

/**
 * Reads the reply of an answer API to a POST with this status.
 *
 * @returns what was stored, as far as the API reports it
 * @throws AskError the API's rejection with its code, and the question's view under `facts.question`; `CANNOT_DECLINE`
 *   if the API does not confirm that the question is declined; `UNREACHABLE` for a reply that no answer API gives
 */
export async function readReply(response: Response, status?: AnswerStatus): Promise<StoredReply> {
  const text = await response.text().catch((cause) => {
    throw unreachable('The reply broke off', cause)
  })
  const reply = parseObject(text)
  if (!response.ok || reply.success === false) throw rejection(response, reply)
  // A redirect may have led to a sign-in page.
  if (/^\s*</.test(text)) throw unreachable('This is no answer API: it replied with a page')
  // A host that cannot decline stores a draft without answers, and its agent keeps waiting.
  if (status === 'declined' && reply.status !== status)
    throw new AskError('CANNOT_DECLINE', 'At this host, questions cannot be declined: the agent still waits')
  return pick(reply, 'number', ['revision', 'missingVotes'])
}

/** The error in a reply, as an `AskError`. */
export function rejection({ status, headers }: Response, reply: Record<string, unknown>): AskError {
  const error = isObject(reply.error) ? reply.error : { message: reply.error }
  // What went wrong at the host may go away. Its code tells the page nothing that helps.
  const codes = codesOf(status)
  const code = codes.find((known) => known === error.code) ?? codes[0] ?? 'UNREACHABLE'
  const { message = `The answer API replied with ${status}` } = pick(error, 'string', ['message'])
  return new AskError(code, message, {
    faults: Array.isArray(error.faults) ? error.faults.filter(isFault) : [],
    facts: {
      status,
      retryAfterMs: retryAfterIn(headers),
      question: reply.question,
    },
  })
}

/** How long the host wants to be left alone: `Retry-After` has seconds or a date, by the host's clock. */
function retryAfterIn(headers: Headers): number | undefined {
  const given = headers.get('retry-after') ?? ''
  // A page whose clock is wrong still waits as long as the host meant.
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  // A date is no number, and neither 0 nor nothing is a date.
  const ms = Number(given) * 1000 || Date.parse(given) - now
  return ms > 0 ? ms : undefined
}

const isFault = (value: unknown): value is Fault =>
  isObject(value) && typeof value.path === 'string' && typeof value.expected === 'string'

/** The object in a JSON text. For anything else: an empty object. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
