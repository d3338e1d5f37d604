import type { Clock } from '@sandagent/core'

/**
 * The pause before the relay is asked whether it is there, in milliseconds. It is asked even if it has just said something: it
 * ends when it hears nothing from its host.
 */
const PING_AFTER_MS = 25_000

/** How long it may take to answer, in milliseconds. */
const DEAD_AFTER_MS = 10_000

/**
 * Lets the relay know that its host is there. Finds a connection that is half open: it looks alive, and nothing comes any more.
 */
export function createHeartbeat({
  clock,
  ping,
  onSilence,
}: {
  clock: Clock
  ping(): void
  onSilence(): void
}) {
  let hasHeard = false
  let cancelTimer = (): void => {}
  const start = (): void => {
    cancelTimer = clock.after(PING_AFTER_MS, () => {
      hasHeard = false
      ping()
      cancelTimer = clock.after(DEAD_AFTER_MS, () => (hasHeard ? start() : onSilence()))
    })
  }
  return {
    start,
    stop: (): void => cancelTimer(),
    hear(): void {
      hasHeard = true
    },
  }
}
