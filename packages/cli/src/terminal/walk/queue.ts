import type { InboxChange, InboxQuestion } from '@sandagent/inbox'
import { identityOf, inOrder, isOther, itemOf, keyOf, placeName, type WaitingItem } from './waiting.ts'

/** How long a question is put off, and how long before its deadline it comes back, in milliseconds. */
const PUT_OFF_MS = 60 * 60_000
const LAST_CALL_MS = 10 * 60_000

/** How long one that cannot be read is out of the way, in milliseconds. */
const UNREADABLE_MS = 60_000

export type Queue = ReturnType<typeof createQueue>

/**
 * The questions that wait.
 *
 * @param isUnderway whether an answer to a question is on its way
 */
export function createQueue(isUnderway: (key: string) => boolean) {
  const now = (): number => Date.now()
  const items = new Map<string, WaitingItem>()
  const putOff = new Map<string, number>()
  /** What was decided here, or has ended: it is not shown again. */
  const over = new Set<string>()
  let lastPlace = 0

  const waiting = (): WaitingItem[] =>
    inOrder(
      [...items.values()].filter(({ key }) => !isUnderway(key) && (putOff.get(key) ?? 0) <= now()),
      now(),
    )
  /** One that has left is where it was. */
  const placeOf = (key: string | undefined): number => {
    const place = waiting().findIndex((item) => item.key === key)
    return place === -1 ? lastPlace : place
  }

  return {
    waiting,
    placeOf,
    get: (key: string): WaitingItem | undefined => items.get(key),
    count: (): number => items.size,
    nameOf: (item: InboxQuestion): string => placeName(item, items.values()),
    /** Takes a question that waits. `null` for one that is over. */
    put(found: InboxQuestion): WaitingItem | null {
      const item = itemOf(found, now())
      if (over.has(identityOf(item))) return null
      items.set(item.key, item)
      return item
    },
    /** Whether a change says no more than that a question waits on. */
    goesOn(change: InboxChange): boolean {
      if (change.kind !== 'question' || change.question.state !== 'open') return false
      const { kind: _, ...found } = change
      const before = items.get(keyOf(found))
      if (!before || isOther(before, found)) return false
      items.set(before.key, itemOf(found, now()))
      return true
    },
    remove: (key: string): boolean => items.delete(key),
    removeAll(sandboxId: string): void {
      for (const item of [...items.values()]) if (item.sandboxId === sandboxId) items.delete(item.key)
    },
    /** It has ended. What the inbox still says of it is out of date. */
    end(item: WaitingItem): void {
      over.add(identityOf(item))
      items.delete(item.key)
    },
    /** Remembers where a question is that leaves next. */
    keepPlace(key: string | undefined): void {
      lastPlace = placeOf(key)
    },
    /** What follows the question that has left. After the last one come those that were passed over. */
    next(without: string | undefined): WaitingItem | undefined {
      const rest = waiting().filter(({ key }) => key !== without)
      return rest[lastPlace] ?? rest[0]
    },
    /** Puts a question off. Returns when it comes back, or `null` where there is no time for that. */
    putOff({ key, dueAt }: WaitingItem): number | null {
      const until = Math.min(now() + PUT_OFF_MS, (dueAt ?? Number.POSITIVE_INFINITY) - LAST_CALL_MS)
      if (until <= now()) return null
      putOff.set(key, until)
      return until
    },
    /** One that cannot be read lets others pass. */
    hide: ({ key }: WaitingItem): unknown => putOff.set(key, now() + UNREADABLE_MS),
    bringBack(key: string): WaitingItem | undefined {
      putOff.delete(key)
      return items.get(key)
    },
  }
}
