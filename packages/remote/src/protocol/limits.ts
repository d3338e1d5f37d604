/** Counts the changes of the protocol that the other end must know about. */
export const PROTOCOL_VERSION = 1

/** The longest line, in bytes. A file of 1 MiB takes up to six times as much as JSON. */
export const MAX_LINE_BYTES: number = 8 * 1024 * 1024

/**
 * The longest line while no request is under way, in bytes: nothing but the reply to a ping can come then.
 */
export const MAX_IDLE_LINE_BYTES: number = 64 * 1024

/** How many brackets, commas and colons a line of a relay may have outside of its strings. A list of names has 1,000. */
export const MAX_LINE_MARKS = 10_000

/** How many of them a record or an answer file may have. */
export const MAX_FILE_MARKS = 100_000

/** How much a login may print before the relay's first line, in bytes. */
export const MAX_BANNER_BYTES: number = 64 * 1024

/** How many bytes of requests may wait until the relay reads them. */
export const MAX_UNREAD_BYTES: number = 64 * 1024 * 1024

/** How many bytes of one request's events may be on their way. The far end then waits until they were taken. */
export const EVENT_WINDOW_BYTES: number = 1024 * 1024

/** After how many taken bytes the host says so. */
export const ACKNOWLEDGE_BYTES: number = EVENT_WINDOW_BYTES / 4

/** How many requests a relay works on at once, with watches and subscriptions. */
export const MAX_TASKS = 5000

/** A relay ends when it has heard nothing for this time, in milliseconds. Its host has gone without a word then. */
export const RELAY_SILENCE_MS = 90_000
