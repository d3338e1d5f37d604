import { AskError, LONGEST_TIMEOUT_MS } from '@sandagent/core'
import type { OnTimeout } from '@sandagent/runner'

/** What `--on-timeout` takes; the first is the default. */
export const ON_TIMEOUT: readonly OnTimeout[] = ['partial', 'defaults', 'decline']

/** Reads options with `parseArgs`; what it finds wrong is wrong usage. */
export function readOptions<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw usage((cause as Error).message, cause)
  }
}

/** The word that an option takes, out of those that it knows. */
export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((word) => word === value)
  if (found === undefined) throw usage(`${option} takes ${known.join(', ')}, not ${value}`)
  return found
}

/** How long, if it is given. */
export function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > LONGEST_TIMEOUT_MS)
    throw usage(`${option} takes milliseconds up to a year, not ${text}`)
  return value
}

/** What a wrong command line is told. */
export const usage = (message: string, cause?: unknown): AskError =>
  new AskError('INVALID_REQUEST', message, cause === undefined ? {} : { cause })
