import { AsyncLocalStorage } from 'node:async_hooks'

/** Many may work at once. A change waits until all of them are done, and those who come later wait for the change. */
export function createReadWriteLock() {
  const inside = new AsyncLocalStorage<{ isActive: boolean }>()
  const readers = new Set<Promise<unknown>>()
  let writing: Promise<unknown> | null = null
  return {
    /** Work within such work begins at once: it must not wait for a change that waits for it. */
    async read<T>(work: () => Promise<T>): Promise<T> {
      if (inside.getStore()?.isActive) return work()
      while (writing) await writing.catch(() => {})
      const visit = { isActive: true }
      const done = inside.run(visit, work)
      readers.add(done)
      try {
        return await done
      } finally {
        visit.isActive = false
        readers.delete(done)
      }
    },
    /** Only one change at a time. */
    async write<T>(work: () => Promise<T>): Promise<T> {
      const change = Promise.allSettled(readers).then(work)
      writing = change
      try {
        return await change
      } finally {
        writing = null
      }
    },
  }
}
