import { type ParseArgsConfig, parseArgs } from 'node:util'
import { AskError, MAX_TIMEOUT_MS } from '@sandagent/core/internal'
import type { TimeoutPolicy } from '@sandagent/runner'
import { suggestion } from './suggestion.ts'

/** What `--on-timeout` takes; the first is the default. */
export const ON_TIMEOUT: readonly TimeoutPolicy[] = ['partial', 'defaults', 'decline']

/** Reads options with `parseArgs`; what it finds wrong is wrong usage. */
export function readOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']+)'/.exec(message)?.[1] : undefined
    if (unknown === undefined) throw usage(message, cause)
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`)
    throw usage(`There is no option ${unknown}${suggestion(unknown, known)}`, cause)
  }
}

/** The word that an option takes, out of those that it knows. */
export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((word) => word === value)
  if (found === undefined)
    throw usage(`${option} takes ${known.join(', ')}, not ${value}${suggestion(value, known)}`)
  return found
}

/** How long, if it is given. */
export function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > MAX_TIMEOUT_MS)
    throw usage(`${option} takes milliseconds up to a year, not ${text}`)
  return value
}

/** What a wrong command line is told. */
export const usage = (message: string, cause?: unknown): AskError =>
  new AskError('INVALID_REQUEST', message, cause === undefined ? {} : { cause })
