import { AskError } from './errors.ts'
import { platform } from './platform.ts'

/** Time as a parameter, so that tests need no patched globals. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once after `ms` milliseconds; the returned function takes it back. */
  after(ms: number, callback: () => void): () => void
}

/** The longest delay a timer can hold, in milliseconds; anything longer would fire at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1

const clockWith = (prepare: (timer: unknown) => void): Clock => ({
  now: () => Date.now(),
  after(ms, callback) {
    let timer: unknown
    const start = (left: number): void => {
      const piece = Math.min(left, LONGEST_TIMER_MS)
      timer = platform.setTimeout(() => (left > piece ? start(left - piece) : callback()), Math.max(0, piece))
      prepare(timer)
    }
    start(ms)
    return () => platform.clearTimeout(timer)
  },
})

/** The machine's own time. Delays beyond 24.8 days are waited for in pieces. */
export const systemClock: Clock = /* @__PURE__ */ clockWith(() => {})

/** The same, with timers that do not keep a process of Node alive. */
export const backgroundClock: Clock = /* @__PURE__ */ clockWith((timer) =>
  (timer as { unref?: () => void }).unref?.(),
)

let holders = 0
let letGo = (): void => {}

/**
 * Keeps this process of Node running until the returned function is called. Idle connections do not keep it, so that a
 * process can end beside them. Who awaits something holds it.
 */
export function holdProcess(): () => void {
  if (holders++ === 0) letGo = systemClock.after(Number.POSITIVE_INFINITY, () => {})
  let isHeld = true
  return () => {
    if (isHeld && --holders === 0) letGo()
    isHeld = false
  }
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancelTimer()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancelTimer = clock.after(ms, end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}

/**
 * A signal that aborts with another one, or after `ms` milliseconds. `AbortSignal.any` over `AbortSignal.timeout` does not: on
 * Node 20 the limit is forgotten with the next garbage collection.
 */
export function withLimit(signal: AbortSignal, ms: number, clock: Clock = backgroundClock): AbortSignal {
  const late = new platform.AbortController()
  clock.after(ms, () => late.abort(new AskError('UNREACHABLE', `It took longer than ${ms} ms`)))
  return platform.AbortSignal.any([signal, late.signal])
}
