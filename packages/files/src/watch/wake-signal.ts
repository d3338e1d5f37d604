/** Lets a loop sleep until there is something to do. Calls that come while it is busy are kept, as one. */
export interface WakeSignal {
  ring(): void
  /** Resolves when the wakeSignal has rung since the last sleep, or when the signal aborts. */
  sleep(): Promise<void>
}

/** An wakeSignal that the signal rings too. */
export function createWakeSignal(signal: AbortSignal): WakeSignal {
  let rung = false
  let wake = (): void => {}
  const ring = (): void => {
    rung = true
    wake()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    async sleep() {
      if (!rung && !signal.aborted)
        await new Promise<void>((done) => {
          wake = done
        })
      rung = false
    },
  }
}
