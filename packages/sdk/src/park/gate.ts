/** Many may work at once. A change waits until all of them are done, and those who come later wait for the change. */
export interface Gate {
  use<T>(work: () => Promise<T>): Promise<T>
  /** Only one change at a time. */
  change<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(): Gate {
  const users = new Set<Promise<unknown>>()
  let changing: Promise<unknown> | null = null
  return {
    async use(work) {
      while (changing) await changing.catch(() => {})
      const done = work()
      users.add(done)
      try {
        return await done
      } finally {
        users.delete(done)
      }
    },
    async change(work) {
      const change = Promise.allSettled(users).then(work)
      changing = change
      try {
        return await change
      } finally {
        changing = null
      }
    },
  }
}
