import type { Clock } from '@sandagent/core'

/** A timer that can begin again. A class, because each question that waits has one. */
export class RestartableTimer {
  hasEnded = false
  readonly #clock: Clock
  readonly #onEnd: () => void
  #cancel: (() => void) | null = null

  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock
    this.#onEnd = onEnd
  }

  /** Starts from zero. `null`: the timer never ends. */
  start(ms: number | null): void {
    this.stop()
    if (ms === null) return
    this.#cancel = this.#clock.after(ms, () => {
      this.hasEnded = true
      this.#onEnd()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.hasEnded = false
  }
}
