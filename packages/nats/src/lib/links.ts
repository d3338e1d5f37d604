/** The header that names a message: the version of a text, or the id of a barrier. */
export const VERSION_HEADER = 'Sandagent-Version'

/** The header with the version that the writer of a text knew. Absent: there was none. */
export const AFTER_HEADER = 'Sandagent-After'

/** What a message says of its place in the history of its text. */
export interface Link {
  version: string
  /** `''`: none. */
  after: string
}

/** The last link of a text that counted. */
export interface LastLink {
  /** `''`: none. */
  version: string
  /** It followed the one before it, or was the first. Otherwise the history before it is gone. */
  isProven: boolean
}

/** How often the text was written. */
const countOf = (version: string): number => Number.parseInt(version, 10) || 0

/** A runner may claim any count. From this one on, the count stays. */
const MOST_COUNTED = 999_999_999

/** Nobody can guess it, so that nobody can pretend that a message of another process has come. */
export const nextVersion = (version: string): string =>
  `${Math.min(countOf(version) + 1, MOST_COUNTED)}.${crypto.randomUUID()}`

/** The link of a message; `null` for a message that is not from this package. */
export function linkIn(message: { header(name: string): string }): Link | null {
  const version = message.header(VERSION_HEADER)
  if (!/^\d{1,9}\.[\da-f-]{36}$/.test(version)) return null
  // A part of a string keeps the whole of it in memory, which is all headers.
  return { version: Buffer.from(version).toString(), after: message.header(AFTER_HEADER) }
}

/**
 * Whether a message counts: its writer knew the last one that did. All readers see the messages in the same order, so they
 * agree. Where older messages are gone, the first one that is left may not have counted. Then a later version shows it.
 */
export const continues = (last: LastLink, { version, after }: Link): boolean =>
  after === last.version || (!last.isProven && countOf(version) > countOf(last.version))
