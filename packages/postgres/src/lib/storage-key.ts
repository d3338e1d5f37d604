import { createHash } from 'node:crypto'

/** An index of Postgres takes up to 2,700 bytes, and a notification 8,000. */
const MAX_PLAIN_BYTES = 200

/** How many characters of a long id come before its hash, so that most long ids are still in their order. */
const PREFIX_LENGTH = 40

/** `~` is left out, or an id could be spelled like the key of a longer one. */
const TAKEN = '~'

/**
 * A text as Postgres can store it: escaped as in JSON. Postgres has no NUL, and UTF-8 has no half of a surrogate pair. The
 * usual ids stay as they are.
 */
export const storedText = (text: string): string => JSON.stringify(text).slice(1, -1)

export const textOf = (stored: string): string => JSON.parse(`"${stored}"`) as string

/** What rows are found by: the id itself, or the beginning and the hash of a long one. */
export function storageKey(id: string): string {
  const stored = storedText(id)
  if (Buffer.byteLength(stored) <= MAX_PLAIN_BYTES && !stored.includes(TAKEN)) return stored
  const beginning = stored.slice(0, PREFIX_LENGTH).replace(/[^\x20-\x7e]/g, '')
  return `${beginning}${TAKEN}${createHash('sha256').update(stored).digest('hex')}`
}
