/** Lets a loop sleep until there is something to do. All rings while the loop is busy wake it once. */
export interface WakeSignal {
  ring(): void
  /** Resolves once `ring` was called since the last sleep, or when the abort signal aborts. */
  sleep(): Promise<void>
}

/** Makes a wake signal that also rings when `signal` aborts. */
export function createWakeSignal(signal: AbortSignal): WakeSignal {
  let rung = false
  let wake = (): void => {}
  const ring = (): void => {
    rung = true
    wake()
  }
  return {
    ring,
    async sleep() {
      if (!rung && !signal.aborted) {
        await new Promise<void>((done) => {
          wake = done
          signal.addEventListener('abort', ring)
        })
        // The signal may live for longer than the one who sleeps.
        signal.removeEventListener('abort', ring)
      }
      rung = false
    },
  }
}
