import type { Clock } from '../clock.ts'
import { deferred } from './deferred.ts'

export interface InTimeOptions {
  clock: Clock
  ms: number
  /** Ends the wait, too. */
  signal?: AbortSignal | undefined
  late: () => Error
}

/** What the work comes to, if it does in time. The work itself goes on. @throws what `late` makes; what the work throws */
export async function inTime<T>(work: Promise<T>, { clock, ms, signal, late }: InTimeOptions): Promise<T> {
  const over = deferred<void>()
  const end = (): void => over.resolve()
  // In two steps: work that is done at this moment is not late.
  const tooLate = over.promise.then(() => {
    throw late()
  })
  const cancelTimer = clock.after(ms, end)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    return await Promise.race([work, tooLate])
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', end)
  }
}
