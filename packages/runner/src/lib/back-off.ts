import { type Clock, sleep } from '@sandagent/core/internal'

/** The pause before something is tried again, in milliseconds. */
export const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

/** The pause after a pause, in milliseconds: twice as long, up to 30 seconds. */
export const longerPause = (pauseMs: number): number => Math.min(pauseMs * 2, LONGEST_PAUSE_MS)

/** Does something until it succeeds or the signal aborts. */
export async function untilDone(
  task: () => Promise<unknown>,
  { clock, signal, onFailure }: { clock: Clock; signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = longerPause(pauseMs)) {
    try {
      await task()
      return
    } catch (error) {
      onFailure(error)
    }
    await sleep(clock, pauseMs, signal)
  }
}
