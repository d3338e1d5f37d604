import type { Clock } from '@sandagent/core'

/** Those who wait until a view has reached a sequence. */
export class Waiters {
  readonly #clock: Clock
  readonly #waiting = new Map<() => void, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when `wake` is called for this sequence or a later one, or after `ms` milliseconds. */
  wait(sequence: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        this.#waiting.delete(end)
        resolve()
      }
      const cancel = this.#clock.after(ms, end)
      this.#waiting.set(end, sequence)
    })
  }

  wake(sequence: number): void {
    for (const [end, wanted] of this.#waiting) if (wanted <= sequence) end()
  }
}
