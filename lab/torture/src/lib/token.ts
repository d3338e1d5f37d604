import { createHash } from 'node:crypto'

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/**
 * The text of an answer. It names its question, and ends with a checksum, so that a text that was cut or that belongs to
 * another question is found.
 */
export function tokenFor(question: string, n: number, paddingChars: number): string {
  const text = `${question} ${n} ${'x'.repeat(paddingChars)}`
  return `${text} ${checksum(text)}`
}

/** The question that a whole token belongs to; `null` for a torn text. */
export function questionOfToken(token: string): string | null {
  const end = token.lastIndexOf(' ')
  const text = token.slice(0, end)
  return checksum(text) === token.slice(end + 1) ? (text.split(' ')[0] ?? null) : null
}

/** A token as messages show it. */
export const shortToken = (token: string): string =>
  token.length < 60 ? token : `${token.slice(0, 40)}…${token.slice(-12)}`
