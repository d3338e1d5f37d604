import { type ParseArgsConfig, parseArgs } from 'node:util'
import { AskError, MAX_TIMEOUT_MS } from '@sandagent/core/internal'
import type { SweepOption } from '@sandagent/files/internal'
import type { TimeoutPolicy } from '@sandagent/runner'
import { suggestion } from './suggestion.ts'

export const ON_TIMEOUT: readonly TimeoutPolicy[] = ['partial', 'defaults', 'decline']

/** Like `parseArgs`, but its errors are those of wrong usage. */
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

export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((word) => word === value)
  if (found === undefined)
    throw usage(`${option} takes ${known.join(', ')}, not ${value}${suggestion(value, known)}`)
  return found
}

export function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > MAX_TIMEOUT_MS)
    throw usage(`${option} takes milliseconds up to a year, not ${text}`)
  return value
}

/** `--sweep-after-ms`, as {@link SweepOption} has it. */
export const sweepTime = (text: string | undefined): SweepOption['sweepAfterMs'] =>
  text === 'never' ? false : milliseconds('--sweep-after-ms', text)

/** The error for a wrong command line. */
export const usage = (message: string, cause?: unknown): AskError =>
  new AskError('INVALID_REQUEST', message, cause === undefined ? {} : { cause })
