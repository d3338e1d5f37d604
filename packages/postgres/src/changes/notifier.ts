import type { Database } from '../database/database.ts'
import { type Change, changeText } from './hint.ts'

/** Notifies those who listen, where the transaction that wrote could not: see `notify_alone` of the tables. */
export interface Notifier {
  note(change: Change): void
  /** Resolves when all notifications were sent. */
  done(): Promise<void>
}

export function createNotifier(database: Database): Notifier {
  const due = new Set<string>()
  let sending: Promise<void> | null = null
  const send = async (): Promise<void> => {
    while (due.size > 0) {
      const texts = [...due]
      due.clear()
      const statement = 'SELECT pg_notify($1, change) FROM unnest($2::text[]) AS change'
      // Those who listen look for changes at times, too.
      await database.query(statement, [database.schema, texts]).catch(() => {})
    }
    sending = null
  }
  return {
    note(change) {
      due.add(changeText(change))
      sending ??= send()
    },
    async done() {
      await sending
    },
  }
}
