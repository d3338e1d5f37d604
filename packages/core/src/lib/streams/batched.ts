interface Waiting<K, T> {
  key: K
  resolve(value: T): void
  reject(error: unknown): void
}

/**
 * Puts the calls of one moment into few: thousands may come at once.
 *
 * @param all does the work of several calls, and resolves to their results in the same order. If it fails, so do they all
 * @param options.atOnce how many calls it does together at most
 * @param options.lanes how often it may be under way at the same time. Calls that come meanwhile wait, and go together. Default
 *   1
 */
export function batched<K, T>(
  all: (keys: readonly K[]) => Promise<readonly T[]>,
  { atOnce, lanes = 1 }: { atOnce: number; lanes?: number },
): (key: K) => Promise<T> {
  let waiting: Waiting<K, T>[] = []
  let busy = 0
  const flush = (): void => {
    while (busy < lanes && waiting.length > 0) {
      const some = waiting.slice(0, atOnce)
      waiting = waiting.slice(atOnce)
      busy += 1
      void run(some)
    }
  }
  const run = async (some: readonly Waiting<K, T>[]): Promise<void> => {
    try {
      const values = await all(some.map(({ key }) => key))
      for (const [index, { resolve }] of some.entries()) resolve(values[index] as T)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    busy -= 1
    flush()
  }
  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) void Promise.resolve().then(flush)
    })
}
