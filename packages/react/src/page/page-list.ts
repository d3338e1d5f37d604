import { useSyncExternalStore } from 'react'

/** What the components of a page tell each other: a list that each of them adds to. */
export interface PageList<T> {
  get(): readonly T[]
  /** Calls back after every change. The returned function ends this. */
  subscribe(listener: () => void): () => void
  /** Adds an entry. The returned function removes it. */
  add(entry: T): () => void
}

export function createPageList<T>(byPlace: (a: T, b: T) => number): PageList<T> {
  const listeners = new Set<() => void>()
  let entries: readonly T[] = []
  const set = (next: readonly T[]): void => {
    entries = next
    for (const listener of [...listeners]) listener()
  }
  return {
    get: () => entries,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(entry) {
      set([...entries, entry].sort(byPlace))
      return () => set(entries.filter((other) => other !== entry))
    },
  }
}

const NOTHING: readonly never[] = []

/** The list, for a component that follows it. On a server nothing is in it. */
export const usePageList = <T>({ subscribe, get }: PageList<T>): readonly T[] =>
  useSyncExternalStore(subscribe, get, () => NOTHING)
