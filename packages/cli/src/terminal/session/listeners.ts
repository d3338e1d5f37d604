/** Who is told of every change. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    /** A listener may end itself, or others, meanwhile. */
    emit(): void {
      for (const listener of [...listeners]) listener()
    },
    /** The returned function ends this. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
