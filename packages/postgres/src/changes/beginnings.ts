import type { Database } from '../database/database.ts'
import { ReadBytes } from './read-bytes.ts'
import { readChanged, readNamespace } from './read-changed.ts'
import type { Subscription } from './subscription.ts'

/** How many questions are read by one statement. */
export const READ_AT_ONCE = 500

/** The subscriptions that do not hold yet: what is there already has to be read for them. */
export class Beginnings {
  readonly #database: Database
  /** With the last key that was read; `null`: there is nothing to read for it. */
  readonly #after = new Map<Subscription, string | null>()
  readonly #bytes = new ReadBytes()
  #haveSinglesFailed = false

  constructor(database: Database) {
    this.#database = database
  }

  get size(): number {
    return this.#after.size
  }

  add(subscription: Subscription, { onlyNew }: { onlyNew: boolean }): void {
    this.#after.set(subscription, onlyNew ? null : '')
  }

  remove(subscription: Subscription): void {
    this.#after.delete(subscription)
  }

  /** Reads a part. In between, the changes of other subscriptions can be read. After a failure, others come first. */
  async goOn(): Promise<void> {
    for (const [subscription, after] of this.#after) if (after === null) this.#end(subscription)
    const waiting = [...this.#after.keys()]
    const singles = waiting.filter(({ key }) => key !== null).slice(0, READ_AT_ONCE)
    const whole = waiting.find(({ key }) => key === null)
    const page = singles.length === 0 || this.#haveSinglesFailed ? whole : undefined
    this.#haveSinglesFailed = false
    if (!page && singles.length === 0) return
    try {
      await this.#bytes.during((bytes) =>
        page ? this.#readPage(page, bytes) : this.#readSingles(singles, bytes),
      )
    } catch (error) {
      this.#haveSinglesFailed = !page
      for (const subscription of page ? [page] : singles) this.#moveToEnd(subscription)
      throw error
    }
  }

  #end(subscription: Subscription): void {
    this.#after.delete(subscription)
    subscription.hold()
  }

  #moveToEnd(subscription: Subscription): void {
    const after = this.#after.get(subscription)
    if (after !== undefined && this.#after.delete(subscription)) this.#after.set(subscription, after)
  }

  async #readSingles(singles: readonly Subscription[], bytes: number): Promise<void> {
    const hints = singles.map(({ namespace, key }) => ({ namespace, key: key ?? '' }))
    const { found, count } = await readChanged(this.#database, hints, bytes)
    const byHint = new Map(found.map((each) => [JSON.stringify([each.namespace, each.key]), each]))
    for (const subscription of singles.slice(0, count)) {
      const there = byHint.get(JSON.stringify([subscription.namespace, subscription.key]))
      if (there) subscription.take(there, there.stored)
      this.#end(subscription)
    }
  }

  async #readPage(subscription: Subscription, bytes: number): Promise<void> {
    const hint = { namespace: subscription.namespace, key: this.#after.get(subscription) ?? '' }
    const { found, last } = await readNamespace(this.#database, hint, { limit: READ_AT_ONCE, bytes })
    for (const each of found) subscription.take(each, each.stored)
    if (last === null) this.#end(subscription)
    else if (this.#after.has(subscription)) this.#after.set(subscription, last)
  }
}
