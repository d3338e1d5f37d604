import { AskError, type ChannelWarning, type Clock, inTime } from '@sandagent/core/internal'

/** How long a sink may take for one message, in milliseconds. */
const SEND_TIMEOUT_MS = 30_000

/** How long to wait before each further try, in milliseconds. */
const RETRY_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000]

/** A part by which waits differ, so that what failed together is not tried together. */
const JITTER = 0.2

/** The longest wait that a service can ask for, in milliseconds. */
const LONGEST_WAIT_MS = 60 * 60_000

/**
 * How long to wait after the failure number `tries`, in milliseconds; `null` if another try has no use. See `send` of
 * `NoticeSink`.
 */
export function waitAfter(error: unknown, tries: number): number | null {
  const usual = RETRY_MS[tries - 1]
  if (usual === undefined || (error instanceof AskError && !MAY_PASS.has(error.code))) return null
  const wanted = error instanceof AskError ? Number(error.facts.retryAfterMs) : 0
  return Math.max(usual * (1 + JITTER * Math.random()), Math.min(wanted || 0, LONGEST_WAIT_MS))
}

const MAY_PASS: ReadonlySet<string> = new Set(['UNREACHABLE', 'RATE_LIMITED'])

/** Calls a sink. @throws AskError `UNREACHABLE` if it takes too long; what the sink throws */
export async function withTimeout<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<T> {
  const leaving = new AbortController()
  const message = `It has not replied within ${SEND_TIMEOUT_MS / 1000} s`
  const limits = { clock, ms: SEND_TIMEOUT_MS, signal, late: () => new AskError('UNREACHABLE', message) }
  try {
    return await inTime(call(AbortSignal.any([signal, leaving.signal])), limits)
  } finally {
    leaving.abort()
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The warning for a failure. @param what was to be done, as a sentence without its full stop */
export const failureOf = (error: unknown, what?: string, toolCallId?: string): ChannelWarning => ({
  code: error instanceof AskError ? error.code : 'FAILED',
  message: what === undefined ? reasonOf(error) : `${what}: ${reasonOf(error)}`,
  ...(toolCallId !== undefined && { toolCallId }),
})
