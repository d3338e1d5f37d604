import type { Clock } from '@sandagent/core'

/** The machine's own time, with timers that do not keep a process alive that has nothing else to do. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}
