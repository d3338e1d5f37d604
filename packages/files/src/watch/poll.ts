// Why it is so: docs/decisions/0003-polling-decides.md

import type { Clock } from '@sandagent/core'

const QUICK_MS = 50
/** The longest pause beside quick rounds, and the part of the time that polling may take. */
const FRESH = { mostMs: 80, share: 1 / 10 }
const LATER = { mostMs: 500, share: 1 / 50 }
const SLOWEST_MS = 10_000
/** How long a name is fresh: most people answer in the first minute. */
const FRESH_MS = 60_000

/**
 * How long to wait for the next round. The pause is short after a round that found something, and grows while nothing
 * changes. It is long compared to the round, so that polling thousands of files costs little. While a watched name is fresh,
 * the pauses are shorter.
 */
export function createPace(): (found: boolean, tookMs: number, isFresh?: boolean) => number {
  let delayMs = QUICK_MS / 1.5
  let longestMs = LATER.mostMs
  return (found, tookMs, isFresh = false) => {
    const { mostMs, share } = isFresh ? FRESH : LATER
    delayMs = found ? QUICK_MS : Math.min(delayMs * 1.5, mostMs)
    // One slow round may mean that the machine was busy, or that the clock jumped. Only several slow rounds count.
    longestMs = Math.min(longestMs * 2, SLOWEST_MS)
    const restMs = Math.min(tookMs / share, longestMs)
    longestMs = Math.max(restMs, LATER.mostMs)
    return Math.max(delayMs, restMs)
  }
}

/** A poll that goes on until it is stopped. */
export interface Poll {
  /** Makes the pauses short, because there is a new name. */
  refresh(): void
  stop(): void
}

/** Runs `round` at the pace of {@link createPace}. */
export function poll(round: () => Promise<boolean>, clock: Clock): Poll {
  const delayAfter = createPace()
  let freshAt = clock.now()
  let stopped = false
  let cancelTimer = (): void => {}
  const run = async (): Promise<void> => {
    const startedAt = clock.now()
    const found = await round()
    if (stopped) return
    const now = clock.now()
    const delayMs = delayAfter(found, now - startedAt, now - freshAt < FRESH_MS)
    cancelTimer = clock.after(delayMs, () => void run())
  }
  void run()
  return {
    refresh() {
      freshAt = clock.now()
    },
    stop() {
      stopped = true
      cancelTimer()
    },
  }
}
