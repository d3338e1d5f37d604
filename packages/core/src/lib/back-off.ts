import { type Clock, sleep } from './clock.ts'

export const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

export const longerPause = (pauseMs: number): number => Math.min(pauseMs * 2, LONGEST_PAUSE_MS)

/** Repeats a task until it succeeds or the signal aborts. */
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
