import type { Database } from '../database/database.ts'
import { type Change, changeText } from './hint.ts'

/** Notifies those who listen, where the transaction that wrote could not: see `notify_alone` of the tables. */
export class Notifier {
  readonly #database: Database
  readonly #due = new Set<string>()
  #sending: Promise<void> | null = null

  constructor(database: Database) {
    this.#database = database
  }

  note(change: Change): void {
    this.#due.add(changeText(change))
    this.#sending ??= this.#send()
  }

  /** Resolves when all notifications were sent. */
  async done(): Promise<void> {
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#due.size > 0) {
      const texts = [...this.#due]
      this.#due.clear()
      try {
        await this.#database.query('SELECT pg_notify($1, change) FROM unnest($2::text[]) AS change', [
          this.#database.schema,
          texts,
        ])
      } catch {
        // Those who listen look for changes at times, too.
      }
    }
    this.#sending = null
  }
}
