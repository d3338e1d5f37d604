import type { Clock } from '@sandagent/core'

const QUICK_MS = 50
const QUIET_MS = 500
const SLOWEST_MS = 10_000
/** Polling may take this part of the time. */
const SHARE = 1 / 50

/**
 * How long to wait for the next round: short after a round that found something, longer and longer while all is
 * quiet, and always long beside what a round takes, so that polling for thousands costs little.
 */
export function createPace(): (found: boolean, tookMs: number) => number {
  let delayMs = QUICK_MS / 1.5
  return (found, tookMs) => {
    delayMs = found ? QUICK_MS : Math.min(delayMs * 1.5, QUIET_MS)
    // The clock may jump, so what a round seems to have taken is no reason to sleep for hours.
    return Math.max(delayMs, Math.min(tookMs / SHARE, SLOWEST_MS))
  }
}

/**
 * Runs `round` now and again and again, one at a time, at the pace of {@link createPace}.
 *
 * @param round resolves to whether it found something that nobody had reported
 * @returns stops it
 */
export function poll(round: () => Promise<boolean>, clock: Clock): () => void {
  const delayAfter = createPace()
  let stopped = false
  let cancelTimer = (): void => {}
  const run = async (): Promise<void> => {
    const startedAt = clock.now()
    const found = await round()
    if (!stopped) cancelTimer = clock.after(delayAfter(found, clock.now() - startedAt), () => void run())
  }
  void run()
  return () => {
    stopped = true
    cancelTimer()
  }
}
