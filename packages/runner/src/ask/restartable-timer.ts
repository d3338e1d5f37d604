import type { Clock } from '@sandagent/core'

/** A timer that can be started again, and remembers that it ended. */
export interface RestartableTimer {
  /** Starts from the beginning; `null` for a timer that never ends. */
  start(ms: number | null): void
  stop(): void
  hasEnded(): boolean
}

export function createRestartableTimer(clock: Clock, onEnd: () => void): RestartableTimer {
  let hasEnded = false
  let cancel = (): void => {}
  const stop = (): void => {
    cancel()
    cancel = () => {}
    hasEnded = false
  }
  return {
    stop,
    hasEnded: () => hasEnded,
    start(ms) {
      stop()
      if (ms === null) return
      cancel = clock.after(ms, () => {
        hasEnded = true
        onEnd()
      })
    },
  }
}
