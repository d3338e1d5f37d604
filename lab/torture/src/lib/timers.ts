/** What is to be done later, unless it is dropped before. */
export interface Timers {
  later(ms: number, work: () => void): void
  /** Drops what is not done yet. */
  drop(): void
}

export function createTimers(): Timers {
  const pending = new Set<NodeJS.Timeout>()
  return {
    later(ms, work) {
      const timer = setTimeout(() => {
        pending.delete(timer)
        work()
      }, ms)
      pending.add(timer)
    },
    drop() {
      for (const timer of pending) clearTimeout(timer)
    },
  }
}
