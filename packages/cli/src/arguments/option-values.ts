import { AskError, MAX_TIMEOUT_MS } from '@sandagent/core/internal'
import { suggestion } from './suggestion.ts'

export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((word) => word === value)
  if (found === undefined)
    throw usage(`${option} takes ${known.join(', ')}, not ${value}${suggestion(value, known)}`)
  return found
}

/** The only word of a command line, if there is one. */
export function onlyWord(what: string, [word, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) throw usage(`One ${what} at a time, not ${[word, ...more].join(' ')}`)
  return word
}

export function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > MAX_TIMEOUT_MS)
    throw usage(`${option} takes milliseconds up to a year, not ${text}`)
  return value
}

/** `--sweep-after-ms`: a time, or `false` for never. */
export const sweepTime = (text: string | undefined): number | false | undefined =>
  text === 'never' ? false : milliseconds('--sweep-after-ms', text)

/** Longer messages repeat what was typed. */
const LONGEST_CHARS = 2000

/** The error for a wrong command line. */
export const usage = (message: string, cause?: unknown): AskError =>
  new AskError('INVALID_REQUEST', message.slice(0, LONGEST_CHARS), cause === undefined ? {} : { cause })
