/** What comes first is what has the smallest key. Equal keys come in the order in which they were added. */
export interface Heap<T> {
  readonly size: number
  add(key: number, value: T): void
  /** The smallest key. `Infinity` if it is empty. */
  first(): number
  take(): T | undefined
}

interface Entry<T> {
  key: number
  order: number
  value: T
}

export function createHeap<T>(): Heap<T> {
  const entries: Entry<T>[] = []
  let order = 0
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [entries[a], entries[b]] as [Entry<T>, Entry<T>]
    return one.key < other.key || (one.key === other.key && one.order < other.order)
  }
  const swap = (a: number, b: number): void => {
    ;[entries[a], entries[b]] = [entries[b] as Entry<T>, entries[a] as Entry<T>]
  }
  return {
    get size() {
      return entries.length
    },
    first: () => entries[0]?.key ?? Number.POSITIVE_INFINITY,
    add(key, value) {
      entries.push({ key, order: order++, value })
      for (let child = entries.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1
        if (!isBefore(child, parent)) return
        swap(child, parent)
        child = parent
      }
    },
    take() {
      if (entries.length === 0) return undefined
      swap(0, entries.length - 1)
      const taken = entries.pop()
      for (let parent = 0; ; ) {
        let least = parent
        for (const child of [2 * parent + 1, 2 * parent + 2])
          if (child < entries.length && isBefore(child, least)) least = child
        if (least === parent) return taken?.value
        swap(parent, least)
        parent = least
      }
    },
  }
}
