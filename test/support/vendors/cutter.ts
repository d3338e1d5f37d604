/** Cuts the connections of a stand-in for a vendor's service, after so many more messages. */
export interface Cutter {
  /** A connection that can be cut. The returned function forgets it. */
  add(cut: () => void): () => void
  /** Called for each message. If it returns true, the message is lost, together with all connections. */
  isLost(): boolean
  /** As the ability of the sandbox contract. */
  cutAfter(messages: number): () => boolean
}

export function createCutter(): Cutter {
  const open = new Set<() => void>()
  let left = Number.POSITIVE_INFINITY
  let isCut = false
  const cut = (): void => {
    isCut = true
    left = Number.POSITIVE_INFINITY
    for (const end of [...open]) end()
  }
  return {
    add(end) {
      open.add(end)
      return () => void open.delete(end)
    },
    isLost() {
      if (left-- > 0) return false
      cut()
      return true
    },
    cutAfter(messages) {
      isCut = false
      left = messages
      if (messages === 0) cut()
      return () => isCut
    },
  }
}
