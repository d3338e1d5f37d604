import { type Clock, sleep } from '../clock.ts'

/** How long to wait after so many failures in a row, from 1: the pause doubles with each. */
export const backOffMs = (failures: number, firstMs = 100, longestMs = 30_000): number =>
  Math.min(firstMs * 2 ** (failures - 1), longestMs)

/** Repeats a task until it succeeds or the signal aborts. */
export async function untilDone(
  task: () => Promise<unknown>,
  { clock, signal, onFailure }: { clock: Clock; signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await task()
      return
    } catch (error) {
      onFailure(error)
    }
    await sleep(clock, backOffMs(failures), signal)
  }
}
