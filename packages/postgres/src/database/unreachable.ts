import { AskError, type ChannelWarning } from '@sandagent/core'

/** What `pg` says in words alone. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'TIMEOUT'],
  [/terminated|ended|closed|not queryable/i, 'CLOSED'],
]

/**
 * SQLSTATE classes of a server that is not there, stops, has too much to do, makes others wait for a lock, or takes no writes.
 */
const AWAY = /^(08|53|55P03|57P|25006)/

/**
 * Turns an error of the database into one that the caller may retry. Its message has a code, and no host, user or statement.
 */
export function unreachable(error: unknown): AskError {
  if (error instanceof AskError) return error
  const { code, message = '' } = error as { code?: string; message?: string }
  const reason = code || (WORDS.find(([pattern]) => pattern.test(message))?.[1] ?? 'UNKNOWN')
  const isSqlState = /^[0-9A-Z]{5}$/.test(reason) && /\d/.test(reason)
  const what =
    isSqlState && !AWAY.test(reason) ? 'The database refuses this' : 'The database cannot be reached now'
  return new AskError('UNREACHABLE', `${what} (${reason})`, { facts: { reason }, cause: error })
}

/** The same as a warning for the log of the host, where the database's own words may stand too. */
export function warningOfDatabase(error: unknown, before = ''): ChannelWarning {
  const { message, cause } = unreachable(error)
  const words = cause instanceof Error && cause.message ? `: ${cause.message}` : ''
  return { code: 'UNREACHABLE', message: `${before}${message}${words}` }
}
