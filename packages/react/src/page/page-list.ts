import { useSyncExternalStore } from 'react'

/** What the components of a page tell each other: a list that each of them adds to. */
export interface PageList<T> {
  get(): readonly T[]
  /** The list, for a component that follows it. */
  use(): readonly T[]
  /** Adds an entry. The returned function removes it. */
  add(entry: T): () => void
}

export function createPageList<T>(byPlace: (a: T, b: T) => number): PageList<T> {
  const listeners = new Set<() => void>()
  const nothing: readonly T[] = []
  let entries = nothing
  const set = (next: readonly T[]): void => {
    entries = next
    for (const listener of [...listeners]) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = (): readonly T[] => entries
  return {
    get,
    use: () => useSyncExternalStore(subscribe, get, () => nothing),
    add(entry) {
      set([...entries, entry].sort(byPlace))
      return () => set(entries.filter((other) => other !== entry))
    },
  }
}
