import type { Clock } from '@sandagent/core'

export interface RestartableTimer {
  /** Starts from zero. `null`: the timer never ends. */
  start(ms: number | null): void
  stop(): void
  hasEnded(): boolean
}

export function createRestartableTimer(clock: Clock, onEnd: () => void): RestartableTimer {
  let hasEnded = false
  let cancelTimer = (): void => {}
  const stop = (): void => {
    cancelTimer()
    cancelTimer = () => {}
    hasEnded = false
  }
  return {
    stop,
    hasEnded: () => hasEnded,
    start(ms) {
      stop()
      if (ms === null) return
      cancelTimer = clock.after(ms, () => {
        hasEnded = true
        onEnd()
      })
    },
  }
}
