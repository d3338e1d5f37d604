/** What went wrong, as a word that programs can switch on. */
export type AskErrorCode =
  | 'INVALID_QUESTIONS'
  | 'INVALID_ANSWERS'
  | 'INVALID_REQUEST'
  | 'INVALID_FILE'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'GONE'
  | 'TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNSAFE_PATH'
  | 'UNREACHABLE'
  | 'NO_SIGNING_KEY'
  | 'ISOLATION_UNAVAILABLE'
  | 'CHANGED'
  | 'CROSS_SITE'
  | 'WRONG_HOST'
  | 'RATE_LIMITED'
  | 'LINK_INVALID'
  | 'LINK_EXPIRED'
  | 'LINK_USED'

/** What HTTP says for each error that a client can do something about, such as try again; every other one is the server's own. */
const HTTP_STATUS: Partial<Record<AskErrorCode, number>> = {
  INVALID_QUESTIONS: 400,
  INVALID_ANSWERS: 400,
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  LINK_INVALID: 401,
  LINK_EXPIRED: 401,
  FORBIDDEN: 403,
  CROSS_SITE: 403,
  WRONG_HOST: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  CHANGED: 409,
  GONE: 410,
  LINK_USED: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  UNREACHABLE: 503,
}

/** The HTTP status of an error that clients are told of, `undefined` for one that is the server's own. */
export const httpStatusOf = (code: AskErrorCode): number | undefined => HTTP_STATUS[code]

/** One thing that is wrong with an input. */
export interface Fault {
  /** Where, as a dotted path from the input's root, such as `questions.0.options.2.label`; empty for the root. */
  path: string
  /** What would have been right there, in words. */
  expected: string
}

/** Facts that programs may want beside the message. Never secrets. */
export interface AskErrorDetails {
  /** Every fault of the input, not only the first. */
  faults?: readonly Fault[]
  /** What an error is about: ids, paths, who answered and when. */
  facts?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/**
 * The one error class of these packages. Expected endings of a question (declined, timed out, aborted) are not
 * errors: they are values, see {@link Outcome}.
 */
export class AskError extends Error {
  override readonly name = 'AskError'
  readonly code: AskErrorCode
  readonly faults: readonly Fault[]
  readonly facts: Readonly<Record<string, unknown>>

  constructor(
    code: AskErrorCode,
    message: string,
    { faults = [], facts = {}, ...cause }: AskErrorDetails = {},
  ) {
    super(message, cause)
    this.code = code
    this.faults = faults
    this.facts = facts
  }
}

/** Builds the error for an input with faults; the message lists the first few of them. */
export function invalid(code: AskErrorCode, what: string, faults: readonly Fault[]): AskError {
  const shown = faults
    .slice(0, 3)
    .map(({ path, expected }) => (path ? `${path}: expected ${expected}` : `expected ${expected}`))
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : ''
  return new AskError(code, `${what}: ${shown.join('; ')}${more}`, { faults })
}
