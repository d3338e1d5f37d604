import type { Clock } from '@sandagent/core'

const QUICK_MS = 50
const QUIET_MS = 500
const SLOWEST_MS = 10_000
/** The part of the time that polling may take. */
const SHARE = 1 / 50

/**
 * How long to wait for the next round. The pause is short after a round that found something, and grows while nothing
 * changes. It is long compared to the round, so that polling thousands of files costs little.
 */
export function createPace(): (found: boolean, tookMs: number) => number {
  let delayMs = QUICK_MS / 1.5
  let longestMs = QUIET_MS
  return (found, tookMs) => {
    delayMs = found ? QUICK_MS : Math.min(delayMs * 1.5, QUIET_MS)
    // One slow round may mean that the machine was busy, or that the clock jumped. Only several slow rounds count.
    longestMs = Math.min(longestMs * 2, SLOWEST_MS)
    const restMs = Math.min(tookMs / SHARE, longestMs)
    longestMs = Math.max(restMs, QUIET_MS)
    return Math.max(delayMs, restMs)
  }
}

/** Runs `round` at the pace of {@link createPace}, until the returned function is called. */
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
