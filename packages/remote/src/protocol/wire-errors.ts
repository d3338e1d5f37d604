import { AskError, type AskErrorCode, printableLine } from '@sandagent/core/internal'
import type { WireError } from './frames.ts'

/** The errors of a sandbox. A relay must not speak for the host, so it has no other ones. */
const CODES: ReadonlySet<string> = new Set<AskErrorCode>([
  'CONFLICT',
  'INVALID_FILE',
  'INVALID_REQUEST',
  'ISOLATION_UNAVAILABLE',
  'NOT_FOUND',
  'TOO_LARGE',
  'UNREACHABLE',
  'UNSAFE_PATH',
  'WRONG_USER',
])

/** The longest message of a relay, in characters. */
const MAX_MESSAGE_CHARS = 2000

const systemCode = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^E[A-Z0-9_]{1,60}$/.test(code) ? code : undefined
}

export function toWireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { message: String(error) }
  const system = systemCode(error instanceof AskError ? error.cause : error)
  if (!(error instanceof AskError)) return { message: error.message, system }
  const facts = Object.entries(error.facts).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, value] as const]
      : [],
  )
  return {
    code: error.code,
    message: error.message,
    facts: Object.fromEntries(facts.slice(0, 20)),
    system,
  }
}

/** The error that a relay reports. It is of the sandbox: an AskError of a sandbox, or an error of its system. */
export function fromWireError({ code, message, facts = {}, system }: WireError): Error {
  const text = printableLine(message.slice(0, MAX_MESSAGE_CHARS))
  const cause = system === undefined ? undefined : Object.assign(new Error(text), { code: system })
  if (code !== undefined && CODES.has(code))
    return new AskError(code as AskErrorCode, text, { facts, ...(cause && { cause }) })
  return cause ?? new Error(text)
}
