/** Runs a piece of work, at once or when others are done. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets so many pieces of work run at once, in the order in which they came. An answer passes several limits: p-limit takes
 * longer than a call of a local disk, where nothing has to wait.
 */
export function limitTo(most: number): Limit {
  let running = 0
  // An array of many thousand would be moved at each step.
  const waiting = new Set<() => void>()
  return async (work) => {
    if (running < most) running++
    else await new Promise<void>((resolve) => waiting.add(resolve))
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else running--
    }
  }
}
