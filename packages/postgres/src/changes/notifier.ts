import type { Database } from '../database/database.ts'
import { type Change, changeText, channelOf } from '../lib/hint.ts'

/** Notifies those who listen, where the transaction that wrote could not: see `notify_alone` of the tables. */
export interface Notifier {
  note(change: Change): void
  /** Resolves when all notifications were sent. */
  done(): Promise<void>
}

export function createNotifier(database: Database): Notifier {
  /** What changed, with the channel to tell it on. */
  const due = new Map<string, string>()
  let sending: Promise<void> | null = null
  const send = async (): Promise<void> => {
    while (due.size > 0) {
      const texts = [[...due.values()], [...due.keys()]]
      due.clear()
      const statement =
        'SELECT pg_notify(channel, change) FROM unnest($1::text[], $2::text[]) AS t (channel, change)'
      // Those who listen look for changes at times, too.
      await database.query(statement, texts, { isFrequent: true }).catch(() => {})
    }
    sending = null
  }
  return {
    note(change) {
      due.set(changeText(change), channelOf(database.schema, change.namespace))
      sending ??= send()
    },
    async done() {
      await sending
    },
  }
}
