import { AskError, type AskErrorCode } from '@sandagent/core/internal'

/** The error for a service that has refused, or cannot reply now. It tells when to try again, if the service says so. */
export const httpFailure = ({ status, headers }: Response): AskError =>
  new AskError(CODES[status] ?? 'UNREACHABLE', `It replied with status ${status}`, {
    facts: { status, retryAfterMs: retryAfter(headers.get('retry-after')) },
  })

/** After 410, Standard Webhooks wants no further try. */
const CODES: Readonly<Record<number, AskErrorCode>> = { 410: 'GONE', 429: 'RATE_LIMITED' }

/** Seconds, or a date. */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** The error for a request that got no reply. The message of `fetch` itself says little. */
export const noReply = (error: unknown): AskError => {
  const { cause, message } = error as Error
  return new AskError('UNREACHABLE', cause instanceof Error ? cause.message : message, { cause: error })
}
