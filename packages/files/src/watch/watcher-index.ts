/** Finds watchers by the names that they watch. `null` stands for all names. */
export interface WatcherIndex<Watcher> {
  add(name: string | null, watcher: Watcher): void
  /** Returns whether nobody watches this name any more. */
  remove(name: string | null, watcher: Watcher): boolean
  of(name: string | null): readonly Watcher[]
  all(): Watcher[]
  isEmpty(): boolean
}

export function createWatcherIndex<Watcher>(): WatcherIndex<Watcher> {
  /** Almost every name has one watcher, and there may be thousands of names. `concat` reserves no room for more entries. */
  const watchers = new Map<string | null, readonly Watcher[]>()
  return {
    add(name, watcher) {
      watchers.set(name, (watchers.get(name) ?? []).concat(watcher))
    },
    remove(name, watcher) {
      const left = (watchers.get(name) ?? []).filter((other) => other !== watcher)
      if (left.length > 0) watchers.set(name, left)
      else watchers.delete(name)
      return left.length === 0
    },
    of: (name) => watchers.get(name) ?? [],
    all: () => [...new Set([...watchers.values()].flat())],
    isEmpty: () => watchers.size === 0,
  }
}
