/** Values in order. Those added before the first look are sorted at once, later ones are put in their places. */
export class Sorted<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #loose = new Set<T>()
  #sorted: T[] = []

  /** @param compare 0 only for the same value */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  add(value: T): void {
    this.#loose.add(value)
  }

  /** Call it while the value still compares as it did when it was added. */
  delete(value: T): void {
    if (this.#loose.delete(value)) return
    const place = this.#firstPlace((other) => this.#compare(other, value) >= 0)
    if (this.#sorted[place] === value) this.#sorted.splice(place, 1)
  }

  /** The first values, up to `limit`, from the first one that passes on. All after that one pass too. */
  slice(passes: (value: T) => boolean, limit: number = Number.POSITIVE_INFINITY): T[] {
    this.#sort()
    const from = this.#firstPlace(passes)
    return this.#sorted.slice(from, from + limit)
  }

  #sort(): void {
    if (this.#loose.size > 1000) this.#sorted = [...this.#sorted, ...this.#loose].sort(this.#compare)
    else
      for (const value of this.#loose)
        this.#sorted.splice(
          this.#firstPlace((other) => this.#compare(other, value) > 0),
          0,
          value,
        )
    this.#loose.clear()
  }

  #firstPlace(passes: (value: T) => boolean): number {
    let [from, to] = [0, this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (passes(this.#sorted[middle] as T)) to = middle
      else from = middle + 1
    }
    return from
  }
}
