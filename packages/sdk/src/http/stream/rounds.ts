import type { Clock, WakeSignal } from '@sandagent/core/internal'

/** How often access is checked again while nothing changes, in milliseconds. */
const RECHECK_MS = 30_000

/** The rounds in which a stream looks at what it collects. */
export interface Rounds {
  /** Whether access is to be checked in the round that begins, and whether nothing more is collected after it. */
  begin(): { isCheck: boolean; isLast: boolean }
  end(): void
}

/** Rings for a round when access is to be checked, and when `collected` has settled. */
export function createRounds(collected: Promise<unknown>, wake: WakeSignal, clock: Clock): Rounds {
  let isDue = false
  let isOver = false
  const setTimer = (): (() => void) =>
    clock.after(RECHECK_MS, () => {
      isDue = true
      wake.ring()
    })
  let cancelTimer = setTimer()
  const settle = (): void => {
    isOver = true
    wake.ring()
  }
  collected.then(settle, settle)
  return {
    begin() {
      const isCheck = isDue
      if (isCheck) cancelTimer = setTimer()
      isDue = false
      return { isCheck, isLast: isOver }
    },
    end: () => cancelTimer(),
  }
}
