import type { Clock } from '@sandagent/core'

/** After this silence the relay is asked whether it is there, in milliseconds. Two messages in this time, one each way. */
const PING_AFTER_MS = 25_000

/** How long it may take to answer, in milliseconds. */
const DEAD_AFTER_MS = 10_000

interface Heartbeat {
  start(): void
  stop(): void
  /** Notes that something came. */
  hear(): void
}

/** Finds a connection that is half open: it looks alive, and nothing comes any more. */
export function createHeartbeat({
  clock,
  ping,
  onSilence,
}: {
  clock: Clock
  ping(): void
  onSilence(): void
}): Heartbeat {
  let hasHeard = false
  let cancelTimer = (): void => {}
  const wait = (ms: number, onQuiet: () => void): void => {
    hasHeard = false
    cancelTimer = clock.after(ms, () => (hasHeard ? start() : onQuiet()))
  }
  const start = (): void =>
    wait(PING_AFTER_MS, () => {
      ping()
      wait(DEAD_AFTER_MS, onSilence)
    })
  return {
    start,
    stop: () => cancelTimer(),
    hear() {
      hasHeard = true
    },
  }
}
