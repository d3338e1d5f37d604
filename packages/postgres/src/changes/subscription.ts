import type { StoredQuestion } from '@sandagent/core/store'
import type { Hint } from './hint.ts'

/** One subscription: what it has to yield next. */
export class Subscription {
  readonly namespace: string
  /** `null`: all questions of the namespace. */
  readonly key: string | null
  readonly #wake: () => void
  readonly #due = new Map<string, StoredQuestion>()
  /** Whether it holds, so that its first list may be yielded. */
  #holds = false
  #isFirst = true

  constructor(namespace: string, key: string | null, wake: () => void) {
    this.namespace = namespace
    this.key = key
    this.#wake = wake
  }

  /** Takes what was read. A later call brings what was read later. */
  take({ key }: Hint, stored: StoredQuestion): void {
    if (this.key !== null && this.key !== key) return
    this.#due.set(key, stored)
    if (this.#holds) this.#wake()
  }

  /** All that was there was taken. */
  hold(): void {
    this.#holds = true
    this.#wake()
  }

  /** The next list, or `null` if there is nothing to yield yet. */
  next(): StoredQuestion[] | null {
    if (!this.#holds || (this.#due.size === 0 && !this.#isFirst)) return null
    this.#isFirst = false
    const list = [...this.#due.values()]
    this.#due.clear()
    return list
  }
}
