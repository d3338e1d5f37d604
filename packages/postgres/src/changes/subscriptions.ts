import type { StoredQuestion } from '@sandagent/core/store'
import type { Hint } from '../lib/hint.ts'

export interface Subscription {
  readonly namespace: string
  /** Of one question; `null`: all of the namespace. */
  readonly key: string | null
  /** Whether changes of records alone are left out. */
  readonly onlyAnswers: boolean
  /** Takes what was read. A later call brings what was read later. */
  take(key: string, stored: StoredQuestion): void
  /** All that was there was taken. */
  hold(): void
}

/** The subscriptions of a process, by namespace. Thousands may follow one question each. */
export class Subscriptions {
  /** By namespace, then by key. */
  readonly #byKey = new Map<string, Map<string | null, Set<Subscription>>>()

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  get namespaces(): Iterable<string> {
    return this.#byKey.keys()
  }

  *[Symbol.iterator](): Iterator<Subscription> {
    for (const byKey of this.#byKey.values()) for (const same of byKey.values()) yield* same
  }

  add(subscription: Subscription): void {
    const { namespace, key } = subscription
    const byKey = this.#byKey.get(namespace) ?? new Map<string | null, Set<Subscription>>()
    this.#byKey.set(namespace, byKey.set(key, (byKey.get(key) ?? new Set()).add(subscription)))
  }

  remove(subscription: Subscription): void {
    const { namespace, key } = subscription
    const byKey = this.#byKey.get(namespace)
    const same = byKey?.get(key)
    same?.delete(subscription)
    if (same?.size === 0) byKey?.delete(key)
    if (byKey?.size === 0) this.#byKey.delete(namespace)
  }

  /** Those who follow a question: by its key, and with its namespace. */
  of({ namespace, key }: Hint): Subscription[] {
    const byKey = this.#byKey.get(namespace)
    return [null, key].flatMap((each) => [...(byKey?.get(each) ?? [])])
  }
}
