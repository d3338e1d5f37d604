import { backOffMs } from '../lib/async/back-off.ts'
import type { AskError } from '../lib/errors.ts'

/** The pause after the first failed request. It doubles after each failure. */
export const FIRST_RETRY_MS = 1_000

/** How long to wait after this many failures. `random`, from 0 to 1, keeps pages from coming back all at once. */
export const retryDelayMs = (failures: number, random: number): number =>
  backOffMs(failures, FIRST_RETRY_MS) * (0.5 + random / 2)

/** Whether the same request may succeed later. Any other rejection is final. */
export function mayTryAgain({ code, facts: { status } }: AskError): boolean {
  if (code === 'RATE_LIMITED' || code === 'UNAUTHENTICATED') return true
  // The host replied, and it was not its own failure.
  const isRefusal = Number(status) >= 400 && Number(status) < 500 && status !== 408
  return code === 'UNREACHABLE' && !isRefusal
}

/** How long the host wants to be left alone, in milliseconds. */
export const hostsPauseMs = ({ facts: { retryAfterMs } }: AskError): number =>
  typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : 0
