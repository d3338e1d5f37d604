import { printableLine } from './text/printable.ts'

/** What went wrong, as a word that programs can switch on. */
export type AskErrorCode =
  | 'INVALID_QUESTIONS'
  | 'INVALID_ANSWERS'
  | 'INVALID_REQUEST'
  | 'INVALID_FILE'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_ALLOWED'
  | 'PASSKEY_NEEDED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'GONE'
  | 'CANNOT_DECLINE'
  | 'TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNSAFE_PATH'
  | 'UNREACHABLE'
  | 'NO_SIGNING_KEY'
  | 'WRONG_USER'
  | 'ISOLATION_UNAVAILABLE'
  | 'CHANGED'
  | 'CROSS_SITE'
  | 'WRONG_HOST'
  | 'RATE_LIMITED'
  | 'LINK_INVALID'
  | 'LINK_EXPIRED'
  | 'LINK_USED'

/**
 * The codes of each HTTP status: those that a client can do something about. The first one is for replies without a code. All
 * other errors are the server's own, and clients do not see them.
 */
const CODES: Readonly<Record<string, readonly AskErrorCode[]>> = {
  400: ['INVALID_REQUEST', 'INVALID_ANSWERS', 'INVALID_QUESTIONS'],
  401: ['UNAUTHENTICATED', 'LINK_INVALID', 'LINK_EXPIRED'],
  403: ['FORBIDDEN', 'NOT_ALLOWED', 'CROSS_SITE', 'WRONG_HOST'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT', 'CHANGED'],
  410: ['GONE', 'LINK_USED'],
  413: ['TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  428: ['PASSKEY_NEEDED'],
  429: ['RATE_LIMITED'],
}

/** The codes of the status 503. Pages need no list of them: they try again. */
const UNAVAILABLE: readonly AskErrorCode[] = ['UNREACHABLE', 'NO_SIGNING_KEY', 'WRONG_USER']

export const codesOf = (status: number): readonly AskErrorCode[] => CODES[status] ?? []

/** The HTTP status of an error; `undefined` for the server's own errors. */
export const httpStatusOf = (code: AskErrorCode): number | undefined =>
  UNAVAILABLE.includes(code)
    ? 503
    : Number(Object.keys(CODES).find((status) => CODES[status]?.includes(code))) || undefined

/** One thing that is wrong with an input. */
export interface Fault {
  /** Where, as a dotted path from the input's root, such as `questions.0.options.2.label`; empty for the root. */
  path: string
  /** What would have been right there, in words. */
  expected: string
}

/** Facts that programs may want beside the message. Never secrets. */
export interface AskErrorDetails {
  /** The faults of the input: all, or the first 50. */
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

/** How many faults an error lists: a file of 1 MB can have half a million. */
export const MOST_FAULTS = 50

/** The longest path or expectation that a fault carries, in characters: keys of foreign files are part of them. */
const LONGEST_FAULT_TEXT = 500

/**
 * Builds the error for an input with faults. It lists at most {@link MOST_FAULTS} of them, cut where they are long. The
 * message names the first three, in one line that is safe to print.
 */
export function invalid(code: AskErrorCode, what: string, faults: readonly Fault[]): AskError {
  const listed = faults.slice(0, MOST_FAULTS).map(({ path, expected }) => ({
    path: path.slice(0, LONGEST_FAULT_TEXT),
    expected: expected.slice(0, LONGEST_FAULT_TEXT),
  }))
  const shown = listed
    .slice(0, 3)
    .map(({ path, expected }) => (path ? `${path}: expected ${expected}` : `expected ${expected}`))
  const isCut = faults.length >= MOST_FAULTS
  const count = `${isCut ? 'at least ' : ''}${listed.length - shown.length}`
  const more = faults.length > shown.length ? `; and ${count} more` : ''
  // Long faults are cut, and how many others there are still stands behind them.
  return new AskError(code, `${printableLine(`${what}: ${shown.join('; ')}`)}${more}`, { faults: listed })
}
